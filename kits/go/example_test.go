// Licensed under the MIT License. See LICENSE.

package entraemulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	entraemulator "entraemulator.example/kit"
)

const (
	user      = "megan@contoso.example"
	redirect  = "http://localhost:5000"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

// The code flow as a program would implement it.
func TestSignIn(t *testing.T) {
	emulator := entraemulator.Start(t)

	response, err := emulator.SignIn(user, request(emulator, nil))
	if err != nil {
		t.Fatal(err)
	}
	if response.Get("state") != "s 1" {
		t.Fatalf("the state is %q", response.Get("state"))
	}
	token := redeem(t, emulator, url.Values{
		"grant_type": {"authorization_code"}, "code": {response.Get("code")}, "redirect_uri": {redirect},
		"code_verifier": {verifier},
	})

	me, err := http.NewRequest("GET", emulator.BaseURL+"/v1.0/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	me.Header.Set("Authorization", "Bearer "+token["access_token"].(string))
	profile := object(t, emulator, me)
	if profile["userPrincipalName"] != user {
		t.Fatalf("Graph returns %v", profile)
	}
}

func TestADeviceCodeIsTyped(t *testing.T) {
	emulator := entraemulator.Start(t)
	begun := post(t, emulator, "/oauth2/v2.0/devicecode", url.Values{"scope": {"User.Read"}})

	_, err := emulator.Browser(user, entraemulator.Choices{}).Enter(
		begun["user_code"].(string), begun["verification_uri"].(string))
	if err != nil {
		t.Fatal(err)
	}
	// The grant's short name, as MSAL for Go sends it.
	token := redeem(t, emulator, url.Values{
		"grant_type": {"device_code"}, "device_code": {begun["device_code"].(string)},
	})
	if token["access_token"] == nil {
		t.Fatalf("no token: %v", token)
	}
}

func TestChoices(t *testing.T) {
	emulator := entraemulator.Start(t)

	declined, err := emulator.Browser(user, entraemulator.Choices{DeclineConsent: true}).SignIn(request(emulator, nil))
	if err != nil || declined.Get("error") != "access_denied" {
		t.Errorf("declined consent returns %v, %v", declined, err)
	}
	_, err = emulator.Browser(user, entraemulator.Choices{Password: "wrong-1"}).SignIn(request(emulator, nil))
	if err == nil || !strings.Contains(err.Error(), "passwd was rejected") || strings.Contains(err.Error(), "wrong-1") {
		t.Errorf("a wrong password returns %v", err)
	}
	staying := emulator.Browser(user, entraemulator.Choices{StaySignedIn: true})
	for _, prompt := range []string{"", "none", "select_account"} {
		response, err := staying.SignIn(request(emulator, url.Values{"prompt": {prompt}}))
		if err != nil || response.Get("code") == "" {
			t.Errorf("prompt %q returns %v, %v", prompt, response["error"], err)
		}
	}
	staying.ForgetSession()
	forgotten, err := staying.SignIn(request(emulator, url.Values{"prompt": {"none"}}))
	if err != nil || forgotten.Get("error") != "login_required" {
		t.Errorf("a forgotten session returns %v, %v", forgotten, err)
	}
	form, err := emulator.SignIn(user, request(emulator, url.Values{"response_mode": {"form_post"}}))
	if err != nil || form.Get("code") == "" {
		t.Errorf("form_post returns %v, %v", form["error"], err)
	}
}

func TestCodesComeFromTheOutbox(t *testing.T) {
	emulator := entraemulator.Start(t)
	authorize := strings.Replace(request(emulator, nil), "/"+entraemulator.Tenant+"/", "/fabrikam.example/", 1)

	for _, customer := range []string{"code@fabrikam.example", "mfa@fabrikam.example", "mfa-code@fabrikam.example"} {
		response, err := emulator.SignIn(customer, authorize)
		if err != nil || response.Get("code") == "" {
			t.Errorf("%s gets %v, %v", customer, response["error"], err)
		}
	}
}

func TestTheResponseIsDeliveredToAnApp(t *testing.T) {
	emulator := entraemulator.Start(t)
	code := make(chan string, 1)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code <- r.URL.Query().Get("code")
		_, _ = w.Write([]byte("<p>Welcome & hello</p>"))
	}))
	t.Cleanup(app.Close)
	address := strings.Replace(app.URL, "127.0.0.1", "localhost", 1)

	page, err := emulator.Browser(user, entraemulator.Choices{}).Open(
		request(emulator, url.Values{"redirect_uri": {address}}))
	if err != nil {
		t.Fatal(err)
	}
	if <-code == "" || page.Status != 200 || page.Text != "Welcome & hello" {
		t.Errorf("the app shows %d %q", page.Status, page.Text)
	}
}

func TestTheClockFaultsAndPeopleAreTheTests(t *testing.T) {
	emulator := entraemulator.Start(t)
	control := emulator.Control

	check(t, control.FailNext(entraemulator.Fault{PathSuffix: "/token", Status: 503, Body: `{"error": "busy"}`}))
	if answer := redeem(t, emulator, url.Values{"grant_type": {"refresh_token"}}); answer["error"] != "busy" {
		t.Errorf("the fault returns %v", answer)
	}
	journal, err := control.Journal()
	check(t, err)
	if last := journal[len(journal)-1]; last.Status != 503 || !strings.HasSuffix(last.Path, "/token") {
		t.Errorf("the journal ends with %+v", last)
	}

	response, err := emulator.SignIn(user, request(emulator, nil))
	check(t, err)
	check(t, control.Advance(20*time.Minute))
	late := redeem(t, emulator, url.Values{
		"grant_type": {"authorization_code"}, "code": {response.Get("code")}, "redirect_uri": {redirect},
		"code_verifier": {verifier},
	})
	if late["error"] != "invalid_grant" {
		t.Errorf("a late code returns %v", late)
	}

	check(t, control.AddUser("kim@contoso.example", "Another-pass1"))
	kim := entraemulator.Choices{Password: "Another-pass1"}
	if added, err := emulator.Browser("kim@contoso.example", kim).SignIn(request(emulator, nil)); err != nil || added.Get("code") == "" {
		t.Errorf("a new user gets %v, %v", added["error"], err)
	}
	check(t, control.Reset())
	if _, err = emulator.Browser("kim@contoso.example", kim).SignIn(request(emulator, nil)); err == nil {
		t.Error("after a reset, the new user still exists")
	}
	if err = control.AddUser("nonsense", ""); err == nil || !strings.Contains(err.Error(), "400") {
		t.Errorf("an invalid user returns %v", err)
	}
}

func TestAnAppIsRegistered(t *testing.T) {
	emulator := entraemulator.Start(t)
	control := emulator.Control
	app, err := control.Add("applications", map[string]any{
		"clientId": "nightly", "type": "web", "displayName": "Nightly job", "secrets": []any{map[string]any{"name": "first"}},
	})
	check(t, err)

	secret := app["secrets"].([]any)[0].(map[string]any)["value"].(string)
	token := post(t, emulator, "/oauth2/v2.0/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"nightly"}, "client_secret": {secret},
		"scope": {"https://graph.microsoft.com/.default"},
	})
	if token["access_token"] == nil {
		t.Errorf("no token: %v", token)
	}

	check(t, control.Change("applications", "nightly", map[string]any{"displayName": "Daily job"}))
	apps, err := control.Entries("applications")
	check(t, err)
	if last := apps[len(apps)-1]; last["displayName"] != "Daily job" {
		t.Errorf("the last app is %v", last)
	}
	check(t, control.Remove("applications", "nightly"))
	if err = control.Remove("applications", "nightly"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a removed app returns %v", err)
	}
}

func TestAPageOfThePlatformIsAnError(t *testing.T) {
	emulator := entraemulator.Start(t)

	_, err := emulator.SignIn(user, request(emulator, url.Values{"redirect_uri": {"http://elsewhere.example"}}))
	if err == nil || !strings.Contains(err.Error(), "AADSTS50011") {
		t.Errorf("a wrong redirect URI returns %v", err)
	}
}

func TestTheEmulatorStopsWithItsTest(t *testing.T) {
	var emulator *entraemulator.Emulator
	t.Run("a test", func(t *testing.T) { emulator = entraemulator.Start(t) })

	if _, err := emulator.Client().Get(emulator.BaseURL); err == nil {
		t.Error("it still responds")
	}
	if _, err := os.Stat(emulator.CAFile); !os.IsNotExist(err) {
		t.Errorf("its folder still exists: %v", err)
	}
}

func request(emulator *entraemulator.Emulator, changes url.Values) string {
	parameters := url.Values{
		"client_id": {entraemulator.ClientID}, "response_type": {"code"}, "redirect_uri": {redirect},
		"scope": {"openid profile User.Read"}, "state": {"s 1"}, "code_challenge": {challenge},
		"code_challenge_method": {"S256"},
	}
	for name, values := range changes {
		parameters[name] = values
		if values[0] == "" {
			parameters.Del(name)
		}
	}
	return emulator.Authority(entraemulator.Tenant) + "/oauth2/v2.0/authorize?" + parameters.Encode()
}

func redeem(t *testing.T, emulator *entraemulator.Emulator, form url.Values) map[string]any {
	t.Helper()
	return post(t, emulator, "/oauth2/v2.0/token", form)
}

func post(t *testing.T, emulator *entraemulator.Emulator, path string, form url.Values) map[string]any {
	t.Helper()
	if form.Get("client_id") == "" {
		form.Set("client_id", entraemulator.ClientID)
	}
	request, err := http.NewRequest(
		"POST", emulator.Authority(entraemulator.Tenant)+path, strings.NewReader(form.Encode()))
	check(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return object(t, emulator, request)
}

func object(t *testing.T, emulator *entraemulator.Emulator, request *http.Request) map[string]any {
	t.Helper()
	response, err := emulator.Client().Do(request)
	check(t, err)
	defer response.Body.Close()
	var value map[string]any
	check(t, json.NewDecoder(response.Body).Decode(&value))
	return value
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An API's test needs no sign-in: a valid token is accepted, a token with a flaw is not.
func TestATokenWithoutASignIn(t *testing.T) {
	emulator := entraemulator.Start(t)
	good := entraemulator.Token{User: user, API: "https://graph.microsoft.com", Scopes: []string{"User.Read"}}
	bad := good
	bad.Flaw = "wrongKey"

	for want, token := range map[int]entraemulator.Token{200: good, 401: bad} {
		text, err := emulator.AccessToken(token)
		check(t, err)
		me, err := http.NewRequest("GET", emulator.BaseURL+"/v1.0/me", nil)
		check(t, err)
		me.Header.Set("Authorization", "Bearer "+text)
		response, err := emulator.Client().Do(me)
		check(t, err)
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("flaw %q returns %d", token.Flaw, response.StatusCode)
		}
	}
}
