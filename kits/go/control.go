// Licensed under the MIT License. See LICENSE.

package entraemulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Control is the control API of an emulator. Every method is one request; an error contains the response's message.
type Control struct {
	base, token string
	client      *http.Client
}

// Fault is a failure of the next requests of an endpoint. Members without a value are omitted.
type Fault struct {
	// PathSuffix is the end of the path, such as "/token".
	PathSuffix string `json:"pathSuffix"`
	// Status is the HTTP status.
	Status int `json:"status,omitempty"`
	// Count is the number of requests that fail; 0 means one.
	Count int `json:"count,omitempty"`
	// Method is the method of the requests; empty for any.
	Method string `json:"method,omitempty"`
	// Body is the body of the responses.
	Body string `json:"body,omitempty"`
	// Headers are header fields of the responses.
	Headers map[string]string `json:"headers,omitempty"`
	// DelayMilliseconds is the delay of the responses.
	DelayMilliseconds int `json:"delayMilliseconds,omitempty"`
	// DropsConnection closes the connection instead of sending a response.
	DropsConnection bool `json:"dropsConnection,omitempty"`
	// Refusal is the AADSTS number of an error with the service's text, instead of Status.
	Refusal int `json:"refusal,omitempty"`
	// Skip is the number of requests that pass first.
	Skip int `json:"skip,omitempty"`
	// Probability is the probability that a request fails, from 0 to 1; 0 means always.
	Probability float64 `json:"probability,omitempty"`
	// Seed is the random seed: the same seed affects the same requests in every run.
	Seed int `json:"seed,omitempty"`
}

// Entry is a request in the journal. All contains every member that the emulator returns.
type Entry struct {
	Method, Path string
	Status       int
	All          map[string]any
}

// Message is a one-time code that was sent.
type Message struct {
	Recipient, Code string
}

// Do sends a request, and decodes the JSON of its response into a value, if there is one.
func (c *Control) Do(method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.base+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// Reset restores the initial directory: users, consents, tokens, faults, journal and clock.
func (c *Control) Reset() error { return c.Do("POST", "/reset", struct{}{}, nil) }

// Advance moves the emulated time, like AdvanceClock.
func (c *Control) Advance(by time.Duration) error { return c.AdvanceClock(by) }

// FailNext makes the next requests of an endpoint fail, like EnqueueFault.
func (c *Control) FailNext(fault Fault) error { return c.EnqueueFault(fault) }

// Add adds an entry of the directory, with the members of a directory file, and returns it with its secrets. The kinds
// are tenants, users, groups, applications, apis and managedIdentities.
func (c *Control) Add(kind string, members map[string]any) (map[string]any, error) {
	var entry map[string]any
	err := c.Do("POST", "/"+kind, members, &entry)
	return entry, err
}

// Change changes members of an entry; nil removes one. It applies to the next request.
func (c *Control) Change(kind, name string, members map[string]any) error {
	return c.Do("PATCH", "/"+kind+"/"+url.PathEscape(name), members, nil)
}

// Entry is an entry, by its ID or another name.
func (c *Control) Entry(kind, name string) (map[string]any, error) {
	return c.get("/" + kind + "/" + url.PathEscape(name))
}

// Remove removes an entry, by its ID or another name.
func (c *Control) Remove(kind, name string) error {
	return c.Do("DELETE", "/"+kind+"/"+url.PathEscape(name), nil, nil)
}

// Entries is the first thousand entries of a kind.
func (c *Control) Entries(kind string) ([]map[string]any, error) {
	var page map[string]json.RawMessage
	if err := c.Do("GET", "/"+kind, nil, &page); err != nil {
		return nil, err
	}
	var entries []map[string]any
	err := json.Unmarshal(page[kind], &entries)
	return entries, err
}

// AddUser adds a user of the first tenant.
func (c *Control) AddUser(name, password string) error {
	_, err := c.Add("users", map[string]any{"userPrincipalName": name, "password": password})
	return err
}

// RemoveUser removes a user.
func (c *Control) RemoveUser(name string) error { return c.Remove("users", name) }

// Journal is the requests since the start or the last reset, oldest first, with secrets masked.
func (c *Control) Journal() ([]Entry, error) {
	var list struct{ Entries []map[string]any }
	if err := c.Do("GET", "/journal", nil, &list); err != nil {
		return nil, err
	}
	entries := []Entry{}
	for _, all := range list.Entries {
		method, _ := all["method"].(string)
		path, _ := all["path"].(string)
		status, _ := all["status"].(float64)
		entries = append(entries, Entry{Method: method, Path: path, Status: int(status), All: all})
	}
	return entries, nil
}

// Outbox is the one-time codes that were sent, oldest first.
func (c *Control) Outbox() ([]Message, error) {
	var list struct{ Messages []Message }
	err := c.Do("GET", "/outbox", nil, &list)
	return list.Messages, err
}

var asterisks = regexp.MustCompile(`\*+`)

// codeOn is the latest code for an address that a page's text names, in full or with asterisks.
func (c *Control) codeOn(text string) string {
	messages, err := c.Outbox()
	if err != nil {
		return ""
	}
	shown := []*regexp.Regexp{}
	for _, word := range strings.Fields(text) {
		if !strings.Contains(word, "*") {
			continue
		}
		parts := asterisks.Split(word, -1)
		for index, part := range parts {
			parts[index] = regexp.QuoteMeta(part)
		}
		shown = append(shown, regexp.MustCompile("^"+strings.Join(parts, ".*")+"$"))
	}
	for index := len(messages) - 1; index >= 0; index-- {
		message := messages[index]
		if strings.Contains(text, message.Recipient) {
			return message.Code
		}
		for _, pattern := range shown {
			if pattern.MatchString(message.Recipient) {
				return message.Code
			}
		}
	}
	return ""
}
