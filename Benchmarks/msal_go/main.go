// Licensed under the MIT License. See LICENSE.

// Msal_go measures MSAL Go with tokens of the same sizes, for the rows that it has in common with the library.
//
//	usage: msal_go FILE [--most N]
//	       msal_go fill FILE       (writes a cache with one user)
//	       msal_go token FILE      (prints the user's token)
//	       msal_go check FILE      (measures checks of the token that Benchmarks/token_checks.py wrote)
//
// The first form writes JSON that `Benchmarks --peer FILE` reads: median CPU time in microseconds, by row and number of
// accounts. "memory" is a cache in memory, "store" a file. No form uses a network: a simulated service returns metadata
// and tokens, so its refreshes do not include TLS.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

const usage = "usage: msal_go FILE [--most N]"

func main() {
	arguments := os.Args[1:]
	switch {
	case len(arguments) == 2 && arguments[0] == "commits":
		commits(arguments[1])
	case len(arguments) == 2 && arguments[0] == "growth":
		growth(arguments[1])
	case len(arguments) == 2 && arguments[0] == "check":
		checkToken(arguments[1])
	case len(arguments) == 2 && arguments[0] == "fill":
		fill(arguments[1], 1)
	case len(arguments) == 2 && arguments[0] == "token":
		printToken(arguments[1])
	case len(arguments) == 1:
		write(arguments[0], measure(100_000))
	case len(arguments) == 3 && arguments[1] == "--most":
		most, err := strconv.Atoi(arguments[2])
		if err != nil || most < 1 {
			fail(usage)
		}
		write(arguments[0], measure(most))
	default:
		fail(usage)
	}
}

// report is what `Benchmarks --peer FILE` reads.
type report struct {
	Name    string             `json:"name"`
	Figures map[string]float64 `json:"figures"`
}

func write(file string, figures map[string]float64) {
	version := strings.Join(strings.Split(libraryVersion, ".")[:2], ".")
	text, err := json.Marshal(report{"MSAL Go " + version, figures})
	check(err)
	check(os.WriteFile(file, append(text, '\n'), 0o600))
}

func measure(most int) map[string]float64 {
	figures := map[string]float64{}
	folder, err := os.MkdirTemp("", "msal-go-")
	check(err)
	defer os.RemoveAll(folder)
	for _, accounts := range sizes(most, 1, 100, 1000, 10_000) {
		path := filepath.Join(folder, fmt.Sprintf("%d.json", accounts))
		fill(path, accounts)
		for _, place := range []string{"memory", "store"} {
			app := inMemory(path)
			if place == "store" {
				app = overFile(path)
			}
			lookups(app, place, accounts, figures)
			if place == "store" && accounts != 100 {
				changes(path, accounts, figures)
			}
			refreshes(app, place, accounts, figures)
		}
	}
	for _, tenants := range sizes(most, 1, 1000, 10_000) {
		applicationTokens(tenants, figures)
	}
	for _, users := range sizes(most, 1, 10_000) {
		onBehalf(users, figures)
	}
	if most >= 4000 {
		path := filepath.Join(folder, "4000.json")
		fill(path, 4000)
		figures["memory-growth/4000"] = child("growth", path)
	}
	return figures
}

// sizes returns the sizes up to most.
func sizes(most int, all ...int) []int {
	var fitting []int
	for _, size := range all {
		if size <= most {
			fitting = append(fitting, size)
		}
	}
	return fitting
}

// growth prints the memory per account of a file, beyond that of an application with ten accounts, after garbage
// collection.
func growth(path string) {
	small := path + ".small"
	fill(small, 10)
	first := inMemory(small)
	hitAll(first)
	before := resident()
	app := inMemory(path)
	accounts := hitAll(app)
	fmt.Println(float64(resident()-before) / float64(accounts))
	hitAll(first)
	hitAll(app)
}

// hitAll gets the token of each account once, and returns their number.
func hitAll(app client) int {
	accounts := everybody(app)
	for _, account := range accounts {
		hit(app, account)
	}
	return len(accounts)
}

// resident returns the memory of this process in bytes, after garbage collection.
func resident() int {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	check(err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	check(err)
	return pages * os.Getpagesize()
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}
