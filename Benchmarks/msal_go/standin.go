// Licensed under the MIT License. See LICENSE.

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	clientID = "00000000-0000-4000-8000-000000000001"
	tenant   = "11111111-1111-1111-1111-111111111111"
	host     = "login.microsoftonline.com"
	scope    = "https://graph.microsoft.com/user.read"
)

// libraryVersion is the version that MSAL Go sends in its requests.
var libraryVersion string

// standIn simulates the service. Codes, refresh tokens and assertions begin with a letter and the number of
// the user: u7- is user 7.
type standIn struct{}

func (standIn) Do(request *http.Request) (*http.Response, error) {
	libraryVersion = request.Header.Get("x-client-ver")
	if request.Method == http.MethodGet {
		root := "https://" + host + "/" + strings.Split(request.URL.Path, "/")[1]
		return reply(request, map[string]any{
			"issuer": root + "/v2.0", "authorization_endpoint": root + "/authorize", "token_endpoint": root + "/token",
		}), nil
	}
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, err
	}
	return reply(request, tokens(form)), nil
}

func (standIn) CloseIdleConnections() {}

func reply(request *http.Request, body map[string]any) *http.Response {
	text, err := json.Marshal(body)
	check(err)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Request: request, Body: io.NopCloser(bytes.NewReader(text)),
	}
}

// tokens returns the response to a grant. Its tokens have the sizes of those in Benchmarks/Sources/Benchmarks/Content.swift.
func tokens(form url.Values) map[string]any {
	nonce := time.Now().UnixNano()
	body := map[string]any{"token_type": "Bearer", "expires_in": 86_400, "ext_expires_in": 86_400}
	subject := form.Get("code") + form.Get("refresh_token") + form.Get("assertion")
	if subject == "" {
		body["access_token"] = padded(fmt.Sprintf("a-%d-", nonce), 1600, "a")
		return body
	}
	number, err := strconv.Atoi(strings.TrimLeft(strings.SplitN(subject, "-", 2)[0], "ru"))
	check(err)
	uid, utid, _ := strings.Cut(homeAccountID(number), ".")
	body["access_token"] = padded(fmt.Sprintf("t%d-%d-", number, nonce), 1600, "t")
	body["refresh_token"] = padded(fmt.Sprintf("r%d-%d-", number, nonce), 1400, "r")
	body["id_token"] = idToken(number)
	body["client_info"] = encoded(map[string]any{"uid": uid, "utid": utid})
	body["scope"] = scope
	return body
}

func homeAccountID(number int) string {
	return fmt.Sprintf("22222222-2222-4222-8222-%012d.%s", number, tenant)
}

func userName(number int) string { return fmt.Sprintf("user-%d@contoso.example", number) }

func idToken(number int) string {
	now := time.Now().Unix()
	local, _, _ := strings.Cut(homeAccountID(number), ".")
	payload := encoded(map[string]any{
		"aud": clientID, "iss": "https://" + host + "/" + tenant + "/v2.0", "iat": now, "nbf": now, "exp": now + 3600,
		"name": fmt.Sprintf("User %d", number), "oid": local, "preferred_username": userName(number),
		"rh": padded("0.", 300, "h"), "sub": padded(fmt.Sprintf("s%d", number), 43, "s"), "tid": tenant,
		"uti": padded("", 22, "u"), "ver": "2.0",
	})
	return padded(encoded(map[string]any{"typ": "JWT", "alg": "RS256"})+"."+payload+".", 1500, "c")
}

func encoded(value map[string]any) string {
	text, err := json.Marshal(value)
	check(err)
	return base64.RawURLEncoding.EncodeToString(text)
}

func padded(text string, length int, filling string) string {
	if len(text) >= length {
		return text
	}
	return text + strings.Repeat(filling, length-len(text))
}
