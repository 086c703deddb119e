// Licensed under the MIT License. See LICENSE.

// Package entraemulator starts the identity platform for a test, and simulates the person at the browser.
//
//	func TestSignIn(t *testing.T) {
//		emulator := entraemulator.Start(t)
//		response, err := emulator.SignIn("megan@contoso.example", authorizationRequest)
//		…
//	}
//
// It needs the standard library and the program entra-emulator, which the variable ENTRA_EMULATOR or the PATH names.
package entraemulator

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// The entries of the default directory. They are published test data.
const (
	// ClientID is the public client whose redirect URI is http://localhost with any port.
	ClientID = "00000000-0000-4000-8000-000000000001"
	// Password is the password of all users.
	Password = "Pa55-word!"
	// Tenant is the organization.
	Tenant = "contoso.example"
)

const lastLine = "Ctrl-C ends the emulator."

// Emulator is a running emulator with separate ports and a separate state folder.
type Emulator struct {
	// BaseURL is https://localhost:<port>.
	BaseURL string
	// CAFile is the PEM file of the certificate authority that clients have to trust.
	CAFile string
	// Control is the control API: faults, clock, journal, codes and people.
	Control *Control

	roots   *x509.CertPool
	command *exec.Cmd
	ended   chan struct{}
	once    sync.Once
	output  transcript
}

// Start starts an emulator, waits until it listens, and stops it at the end of the test. The test fails with the emulator's
// output if it does not start. Arguments are additional arguments, such as "--seed", "directory.yaml".
func Start(t testing.TB, arguments ...string) *Emulator {
	t.Helper()
	emulator, err := launch(filepath.Join(t.TempDir(), "state"), arguments)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(emulator.Stop)
	return emulator
}

// Stop ends the emulator. Further calls have no effect.
func (e *Emulator) Stop() {
	e.once.Do(func() {
		// A process that has ended needs no signal.
		_ = e.command.Process.Signal(os.Interrupt)
		select {
		case <-e.ended:
		case <-time.After(10 * time.Second):
			_ = e.command.Process.Kill()
			<-e.ended
		}
	})
}

// Authority is the address of a tenant, as clients expect it for their authority.
func (e *Emulator) Authority(tenant string) string { return e.BaseURL + "/" + tenant }

// Client is a client that trusts only the emulator over TLS.
func (e *Emulator) Client() *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: e.transport()}
}

// Output is the emulator's output, for the report of a failed test.
func (e *Emulator) Output() string { return e.output.text() }

func (e *Emulator) transport() *http.Transport {
	// No proxy: the emulator and the app are on this machine.
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: e.roots, MinVersion: tls.VersionTLS12}}
}

// Token describes an access token for a test without a sign-in. Members without a value are omitted.
type Token struct {
	// User is the token's user; without one it is an application token.
	User string `json:"user,omitempty"`
	// Application is the client, by its client ID or its name; without one, the first of the directory.
	Application string `json:"application,omitempty"`
	// Tenant is the tenant, if it is not the user's home tenant.
	Tenant string `json:"tenant,omitempty"`
	// API is the API, by its client ID or another identifier.
	API string `json:"api"`
	// Scopes are the permissions; without them, all that need no administrator.
	Scopes []string `json:"scopes,omitempty"`
	// Set contains claims that are added or replaced; nil removes one.
	Set map[string]any `json:"set,omitempty"`
	// Expires is the lifetime in seconds; a negative number creates an expired token.
	Expires int `json:"expires,omitempty"`
	// Flaw is the token's flaw, such as "expired" or "wrongKey".
	Flaw string `json:"flaw,omitempty"`
	// Force allows restricted claims in Set, such as iss and exp.
	Force bool `json:"force,omitempty"`
}

// AccessToken creates an access token without a sign-in, for a test of an API.
func (e *Emulator) AccessToken(token Token) (string, error) {
	return e.Control.AccessToken(token)
}

func launch(state string, arguments []string) (*Emulator, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	words := append([]string{"--port", "0", "--control-port", "0", "--state", state}, arguments...)
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	e := &Emulator{command: exec.Command(program, words...), ended: make(chan struct{})}
	e.command.Stdout, e.command.Stderr = writer, writer
	err = e.command.Start()
	writer.Close()
	if err != nil {
		reader.Close()
		return nil, fmt.Errorf("%s cannot be started: %w", program, err)
	}
	listens := make(chan bool, 1)
	go func() {
		e.read(reader, listens)
		_ = e.command.Wait() // The error does not matter: the output contains the reason.
		close(e.ended)
	}()
	select {
	case ok := <-listens:
		err = e.understand(ok, state)
	case <-time.After(30 * time.Second):
		err = errors.New("no output within 30 seconds")
	}
	if err != nil {
		e.Stop()
		return nil, fmt.Errorf("%s did not start: %w", program, err)
	}
	return e, nil
}

// read keeps the emulator's output, and signals once whether it listens.
func (e *Emulator) read(reader io.ReadCloser, listens chan<- bool) {
	defer reader.Close()
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		e.output.add(lines.Text())
		if strings.Contains(lines.Text(), lastLine) {
			listens <- true
			break
		}
	}
	for lines.Scan() {
		e.output.add(lines.Text())
	}
	select {
	case listens <- false:
	default:
	}
}

func (e *Emulator) understand(listens bool, state string) error {
	greeting := e.Output()
	if !listens {
		return fmt.Errorf("its output: %s", greeting)
	}
	values := map[string]string{}
	for _, name := range []string{"URL", "Console", "Control token"} {
		match := regexp.MustCompile(`(?m)^ *` + name + ` +(\S+)`).FindStringSubmatch(greeting)
		if match == nil {
			return fmt.Errorf("its greeting cannot be parsed: %s", greeting)
		}
		values[name] = match[1]
	}
	e.BaseURL, e.CAFile = values["URL"], filepath.Join(state, "ca.pem")
	authority, err := os.ReadFile(e.CAFile)
	if err != nil {
		return err
	}
	e.roots = x509.NewCertPool()
	if !e.roots.AppendCertsFromPEM(authority) {
		return fmt.Errorf("%s has no certificate", e.CAFile)
	}
	e.Control = &Control{base: values["Console"], token: values["Control token"], client: e.Client()}
	return nil
}

func find() (string, error) {
	named := os.Getenv("ENTRA_EMULATOR")
	if named == "" {
		named = "entra-emulator"
	}
	path, err := exec.LookPath(named)
	if err != nil {
		return "", fmt.Errorf("the program %q was not found; set the variable ENTRA_EMULATOR to the path of entra-emulator", named)
	}
	return path, nil
}

// transcript is the output of a process so far.
type transcript struct {
	mutex sync.Mutex
	lines []string
}

func (t *transcript) add(line string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.lines = append(t.lines, line)
}

func (t *transcript) text() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.Join(t.lines, "\n")
}
