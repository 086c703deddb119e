// Licensed under the MIT License. See LICENSE.

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/AzureAD/microsoft-authentication-library-for-go/apps/cache"
)

// cacheFile keeps the cache of one client in a file, and reads it again only after it changed. Microsoft's extension
// for Go reads only then, too, but parses the whole text in each call.
type cacheFile struct {
	path string
	// isReadOnce is true for a cache that is loaded from the file, and then stays in memory.
	isReadOnce bool
	// isHeld puts off writing.
	isHeld bool
	// seen is the file as it was when it was read or written.
	seen os.FileInfo
}

func (f *cacheFile) Replace(_ context.Context, target cache.Unmarshaler, _ cache.ReplaceHints) error {
	if f.isReadOnce && f.seen != nil {
		return nil
	}
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || f.isUnchanged(now) {
		return err
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	if err := target.Unmarshal(text); err != nil {
		return err
	}
	f.seen = now
	return nil
}

// Export replaces the file atomically.
func (f *cacheFile) Export(_ context.Context, source cache.Marshaler, _ cache.ExportHints) error {
	if f.isHeld || f.isReadOnce {
		return nil
	}
	text, err := source.Marshal()
	if err != nil {
		return err
	}
	fresh := f.path + ".new"
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		return err
	}
	if err := os.Rename(fresh, f.path); err != nil {
		return err
	}
	f.seen, err = os.Stat(f.path)
	return err
}

func (f *cacheFile) isUnchanged(now os.FileInfo) bool {
	return f.seen != nil && os.SameFile(now, f.seen) && now.ModTime().Equal(f.seen.ModTime()) &&
		now.Size() == f.seen.Size()
}
