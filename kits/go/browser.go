// Licensed under the MIT License. See LICENSE.

package entraemulator

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

const (
	stepLimit = 30
	pageLimit = 1 << 20
)

// Choices are a person's inputs on the pages. The zero value signs in.
type Choices struct {
	// Password is the password to type; "" types the password of the default directory.
	Password string
	// Code is the code to type where one is required; "" types the latest code of the outbox.
	Code string
	// DeclineConsent declines an app's consent request.
	DeclineConsent bool
	// StaySignedIn keeps the session; a later visit with the same browser then sees the account picker, or no page.
	StaySignedIn bool
}

// Page is the last page of a visit.
type Page struct {
	URL    *url.URL
	Status int
	Text   string
}

// Browser is a headless browser in which one person signs in. It keeps its cookies.
type Browser struct {
	emulator *Emulator
	user     string
	choices  Choices
	client   *http.Client
}

// Browser returns a new browser of a user.
func (e *Emulator) Browser(user string, choices Choices) *Browser {
	if choices.Password == "" {
		choices.Password = Password
	}
	b := &Browser{emulator: e, user: user, choices: choices, client: &http.Client{
		Timeout: 20 * time.Second, Transport: e.transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	b.ForgetSession()
	return b
}

// SignIn signs a user in for an authorization request, and returns the parameters that the redirect URI would receive: code
// and state, or error and error_description. Nothing is sent to the redirect URI.
func (e *Emulator) SignIn(user, authorizationRequest string) (url.Values, error) {
	return e.Browser(user, Choices{}).SignIn(authorizationRequest)
}

// ForgetSession deletes the cookies, like a new browser profile.
func (b *Browser) ForgetSession() {
	b.client.Jar, _ = cookiejar.New(nil) // It never returns an error.
}

// SignIn is like the method of Emulator, for this browser.
func (b *Browser) SignIn(authorizationRequest string) (url.Values, error) {
	request, err := url.Parse(authorizationRequest)
	if err != nil {
		return nil, err
	}
	redirectURI := request.Query().Get("redirect_uri")
	if redirectURI == "" {
		return nil, fmt.Errorf("%s is not an authorization request: it has no redirect_uri", withoutQuery(request))
	}
	_, response, err := b.visit(request, redirectURI, "")
	return response, err
}

// Open opens an address, fills in every form on the way, delivers the response to the app, and returns its page.
func (b *Browser) Open(address string) (*Page, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	page, _, err := b.visit(parsed, "", "")
	return page, err
}

// Enter types the code that a device shows, and signs in for the device.
func (b *Browser) Enter(userCode, address string) (*Page, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	page, _, err := b.visit(parsed, "", userCode)
	return page, err
}

// visit fills in pages until there is nothing to do, or until an address begins with the redirect URI.
func (b *Browser) visit(address *url.URL, redirectURI, userCode string) (*Page, url.Values, error) {
	method, form, typed := http.MethodGet, url.Values(nil), map[string]bool{}
	for step := 0; step < stepLimit; step++ {
		if redirectURI != "" && leadsTo(address, redirectURI) {
			if method == http.MethodPost {
				return nil, form, nil
			}
			return nil, parametersOf(address), nil
		}
		response, text, err := b.request(method, address, form)
		if err != nil {
			return nil, nil, err
		}
		if location := response.Header.Get("Location"); location != "" && response.StatusCode/100 == 3 {
			next, err := address.Parse(location)
			if err != nil {
				return nil, nil, err
			}
			// RFC 9110, 15.4: 307 and 308 repeat a form, and browsers use GET after the others.
			if response.StatusCode < 307 {
				method, form = http.MethodGet, nil
			}
			address = next
			continue
		}
		page := parse(text)
		if response.StatusCode >= 400 && address.Scheme == "https" {
			return nil, nil, fmt.Errorf("%s responded with %d: %.400s", withoutQuery(address), response.StatusCode, page.text)
		}
		filled, values, err := b.answer(page, typed, userCode)
		if err != nil {
			return nil, nil, err
		}
		if filled == nil {
			if redirectURI != "" {
				return nil, nil, fmt.Errorf("%s is not the app's address: %.400s", withoutQuery(address), page.text)
			}
			return &Page{URL: address, Status: response.StatusCode, Text: page.text}, nil, nil
		}
		if address, err = address.Parse(filled.action); err != nil {
			return nil, nil, err
		}
		method, form = filled.method, values
		if method == http.MethodGet {
			address.RawQuery, form = values.Encode(), nil
		}
	}
	return nil, nil, fmt.Errorf("the pages do not end; the last is %s", withoutQuery(address))
}

func (b *Browser) request(method string, address *url.URL, form url.Values) (*http.Response, string, error) {
	switch host := address.Hostname(); {
	case address.Scheme == "https":
	case address.Scheme == "http" && (host == "localhost" || host == "127.0.0.1" || host == "::1"):
	default:
		return nil, "", fmt.Errorf("%s is neither https nor on this machine", withoutQuery(address))
	}
	request, err := http.NewRequest(method, address.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		origin := "null"
		if address.Scheme == "https" {
			origin = "https://" + address.Host
		}
		request.Header.Set("Origin", origin)
	}
	response, err := b.client.Do(request)
	if err != nil {
		return nil, "", fmt.Errorf("no response from %s: %w", withoutQuery(address), unwrapped(err))
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, pageLimit))
	return response, string(text), err
}

// answer is the form to send with its fields, or nothing if there is nothing for the person to do.
func (b *Browser) answer(page htmlPage, typed map[string]bool, userCode string) (*htmlForm, url.Values, error) {
	for index := range page.forms {
		form := &page.forms[index]
		values := form.values()
		for _, field := range []struct{ name, text string }{{"loginfmt", b.user}, {"login", b.user}, {"passwd", b.choices.Password}} {
			if form.shows(field.name) {
				if err := once(field.name, field.name, typed, page); err != nil {
					return nil, nil, err
				}
				values.Set(field.name, field.text)
			}
		}
		if form.shows("otc") {
			code := b.choices.Code
			for _, source := range []func() string{
				func() string { return b.emulator.Control.codeOn(page.text) },
				func() string { return userCode },
				func() string { return values.Get("otc") },
			} {
				if code == "" {
					code = source()
				}
			}
			if code == "" {
				return nil, nil, fmt.Errorf("the code that this page requires is unknown: %.400s", page.text)
			}
			if err := once("otc", "otc "+code, typed, page); err != nil {
				return nil, nil, err
			}
			values.Set("otc", code)
		}
		consent, stay := "accept", "no"
		if b.choices.DeclineConsent {
			consent = "cancel"
		}
		if b.choices.StaySignedIn {
			stay = "yes"
		}
		switch {
		case form.shows("loginfmt"), form.shows("login"), form.shows("passwd"), form.shows("otc"):
			form.press(values, "signin", "verify", "next")
		case form.has("account", ""):
			form.pick(values, b.user)
		case form.has("action", "accept"):
			form.press(values, consent)
		case form.has("action", "yes") && form.has("action", "no"):
			form.press(values, stay)
		case form.has("action", "other") && form.has("action", "cancel") && len(form.buttons) == 2:
			form.press(values, "cancel")
		case form.has("action", ""), form.carriesResponse():
			form.press(values)
		default:
			continue
		}
		return form, values, nil
	}
	return nil, nil, nil
}

// once records what is typed into a field. A page that asks for it again has rejected it.
func once(name, key string, typed map[string]bool, page htmlPage) error {
	if typed[key] {
		return fmt.Errorf("the input for the field %s was rejected: %.400s", name, page.text)
	}
	typed[key] = true
	return nil
}

func parametersOf(address *url.URL) url.Values {
	if address.RawQuery == "" && address.Fragment != "" {
		values, _ := url.ParseQuery(address.EscapedFragment()) // Invalid parts are omitted.
		return values
	}
	return address.Query()
}

// leadsTo tells whether an address is a redirect URI with a response. Browsers give an empty path its slash.
func leadsTo(address *url.URL, redirectURI string) bool {
	wanted, err := url.Parse(redirectURI)
	return err == nil && strings.TrimSuffix(withoutQuery(address), "/") == strings.TrimSuffix(withoutQuery(wanted), "/")
}

func withoutQuery(address *url.URL) string {
	bare := *address
	bare.RawQuery, bare.Fragment, bare.RawFragment = "", "", ""
	return bare.String()
}

// unwrapped removes the address from the error, because its query may contain a code.
func unwrapped(err error) error {
	if inner, ok := err.(*url.Error); ok {
		return inner.Err
	}
	return err
}
