// Licensed under the MIT License. See LICENSE.

package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/AzureAD/microsoft-authentication-library-for-go/apps/public"
)

type client = public.Client

var scopes = []string{scope}

func inMemory(path string) client { return application(&cacheFile{path: path, isReadOnce: true}) }

func overFile(path string) client { return application(&cacheFile{path: path}) }

func application(file *cacheFile) client {
	app, err := public.New(
		clientID, public.WithAuthority("https://"+host+"/"+tenant), public.WithCache(file),
		public.WithHTTPClient(standIn{}), public.WithInstanceDiscovery(false),
	)
	check(err)
	return app
}

// fill signs in so many users. The library writes its cache into a new file, once, after the last of them.
func fill(path string, accounts int) {
	file := &cacheFile{path: path}
	app := application(file)
	for number := 0; number < accounts; number++ {
		file.isHeld = number < accounts-1
		code := fmt.Sprintf("u%d-", number)
		_, err := app.AcquireTokenByAuthCode(context.Background(), code, "http://localhost", scopes)
		check(err)
	}
}

func everybody(app client) []public.Account {
	accounts, err := app.Accounts(context.Background())
	check(err)
	return accounts
}

// found returns the first matching account. MSAL Go has no call that finds one.
func found(app client, isWanted func(public.Account) bool) public.Account {
	for _, account := range everybody(app) {
		if isWanted(account) {
			return account
		}
	}
	fail("an account was not found")
	return public.Account{}
}

func byID(app client, number int) public.Account {
	id := homeAccountID(number)
	return found(app, func(account public.Account) bool { return account.HomeAccountID == id })
}

func byName(app client, number int) public.Account {
	name := userName(number)
	return found(app, func(account public.Account) bool { return account.PreferredUsername == name })
}

func hit(app client, account public.Account) {
	silent(app, account, public.TokenSourceCache)
}

// refresh redeems the refresh token. While there is an access token, only claims make MSAL Go do that.
func refresh(app client, account public.Account) {
	silent(app, account, public.TokenSourceIdentityProvider, public.WithClaims(`{"access_token":{}}`))
}

func silent(app client, account public.Account, source public.TokenSource, options ...public.AcquireSilentOption) {
	options = append(options, public.WithSilentAccount(account))
	result, err := app.AcquireTokenSilent(context.Background(), scopes, options...)
	check(err)
	if result.AccessToken == "" || result.Metadata.TokenSource != source {
		fail("the token has an unexpected source")
	}
}

// printToken prints the token of the first account of a cache file, as a program does that needs one token.
func printToken(path string) {
	app := overFile(path)
	result, err := app.AcquireTokenSilent(context.Background(), scopes, public.WithSilentAccount(everybody(app)[0]))
	check(err)
	fmt.Println(result.AccessToken)
}

func lookups(app client, place string, accounts int, figures map[string]float64) {
	note := func(row string, work func()) {
		figures[fmt.Sprintf("%s-%s/%d", place, row, accounts)] = microseconds(work)
	}
	// MSAL Go caches no lookups, so no account has to be looked up before.
	working := smaller(accounts, 1000)
	byHomeID := map[string]public.Account{}
	for _, account := range everybody(app) {
		byHomeID[account.HomeAccountID] = account
	}
	var chosen []public.Account
	for number := 0; number < working; number++ {
		chosen = append(chosen, byHomeID[homeAccountID(number)])
	}
	note("account-id", func() { byID(app, rand.Intn(working)) })
	note("account-name", func() { byName(app, rand.Intn(working)) })
	note("all-accounts", func() { everybody(app) })
	figures[fmt.Sprintf("%s-all-accounts/%d", place, accounts)] /= float64(accounts)
	note("name-hit", func() { hit(app, byName(app, rand.Intn(working))) })
	note("hit", func() { hit(app, chosen[0]) })
	note("hit-random", func() { hit(app, chosen[rand.Intn(working)]) })
}

func refreshes(app client, place string, accounts int, figures map[string]float64) {
	all := everybody(app)
	figures[fmt.Sprintf("%s-refresh/%d", place, accounts)] = microseconds(func() {
		refresh(app, all[rand.Intn(len(all))])
	})
}

// commits runs in the other process: it stores new tokens for each account whose number it reads.
func commits(path string) {
	app := overFile(path)
	all := map[string]public.Account{}
	for _, account := range everybody(app) {
		all[account.HomeAccountID] = account
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		number, err := strconv.Atoi(lines.Text())
		check(err)
		refresh(app, all[homeAccountID(number)])
		fmt.Println("done")
	}
}

// changes measures hits while another process stores tokens.
func changes(path string, accounts int, figures map[string]float64) {
	app := overFile(path)
	all := everybody(app)
	other := started("commits", path)
	defer other.end()

	var times []float64
	for begin := time.Now(); len(times) < 2 || (len(times) < 30 && time.Since(begin) < 2*time.Second); {
		other.commit(rand.Intn(smaller(accounts, 1000)))
		start := cpu()
		hit(app, all[rand.Intn(len(all))])
		times = append(times, inMicroseconds(cpu()-start))
	}
	figures[fmt.Sprintf("store-after-commit/%d", accounts)] = median(times)
	if accounts != 1000 {
		return
	}
	for _, perSecond := range []int{1, 10} {
		key := fmt.Sprintf("store-during-commits-%d/%d", perSecond, accounts)
		figures[key] = duringCommits(app, all, other, perSecond)
	}
}

// duringCommits returns the mean time of a hit during three seconds.
func duringCommits(app client, all []public.Account, other *process, perSecond int) float64 {
	stopped := make(chan struct{})
	var committing sync.WaitGroup
	committing.Add(1)
	go func() {
		defer committing.Done()
		ticks := time.NewTicker(time.Second / time.Duration(perSecond))
		defer ticks.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-ticks.C:
				other.commit(rand.Intn(len(all)))
			}
		}
	}()
	hits, begin, start := 0, time.Now(), cpu()
	for time.Since(begin) < 3*time.Second {
		hit(app, all[rand.Intn(len(all))])
		hits++
	}
	mean := inMicroseconds(cpu()-start) / float64(hits)
	close(stopped)
	committing.Wait()
	return mean
}

// process is a child that runs this program.
type process struct {
	command *exec.Cmd
	input   interface {
		Write([]byte) (int, error)
		Close() error
	}
	output *bufio.Scanner
}

func started(arguments ...string) *process {
	program, err := os.Executable()
	check(err)
	command := exec.Command(program, arguments...)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	check(err)
	output, err := command.StdoutPipe()
	check(err)
	check(command.Start())
	return &process{command, input, bufio.NewScanner(output)}
}

// commit makes the child store tokens for an account, and returns when they are stored.
func (p *process) commit(number int) {
	_, err := fmt.Fprintln(p.input, number)
	check(err)
	p.line()
}

func (p *process) line() string {
	if !p.output.Scan() {
		fail("the other process printed nothing")
	}
	return p.output.Text()
}

func (p *process) end() {
	check(p.input.Close())
	check(p.command.Wait())
}

// child runs this program with arguments for which it prints a number, and returns the number.
func child(arguments ...string) float64 {
	other := started(arguments...)
	defer other.end()
	number, err := strconv.ParseFloat(strings.TrimSpace(other.line()), 64)
	check(err)
	return number
}

func smaller(one, other int) int {
	if one < other {
		return one
	}
	return other
}
