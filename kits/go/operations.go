// Licensed under the MIT License. See LICENSE.

package entraemulator

import (
	"net/url"
	"time"
)

// Members of a request or of a response, as in JSON.
type Members = map[string]any

func (c *Control) get(path string) (Members, error) {
	var members Members
	err := c.Do("GET", path, nil, &members)
	return members, err
}

// entry reads the member entry of a response; it is nil if nothing matches.
func (c *Control) entry(path string, filter Members) (Members, error) {
	var found struct{ Entry Members }
	err := c.Do("POST", path, filter, &found)
	return found.Entry, err
}

// APIDescription is the OpenAPI description of the control API.
func (c *Control) APIDescription() (Members, error) { return c.get("/openapi.json") }

// TakeFromJournal removes the oldest matching request from the journal and returns it; nil if there is none. The filter has
// pathSuffix, method, status, correlationId and number.
func (c *Control) TakeFromJournal(filter Members) (Members, error) {
	return c.entry("/journal/take", filter)
}

// ExpectRequest waits until a matching request is in the journal; nil if none arrives. The filter also has seconds, ten at
// most, and after, the ID of an entry that the request must follow.
func (c *Control) ExpectRequest(filter Members) (Members, error) { return c.entry("/expect", filter) }

// EnqueueFault makes the next requests of an endpoint fail.
func (c *Control) EnqueueFault(fault Fault) error { return c.Do("POST", "/faults", fault, nil) }

// ClearFaults removes the faults that have not occurred yet.
func (c *Control) ClearFaults() error { return c.Do("DELETE", "/faults", nil, nil) }

// EnqueueResponses sets the next responses of native authentication by name.
func (c *Control) EnqueueResponses(endpoint string, responses ...string) error {
	return c.Do("POST", "/answers", Members{"endpoint": endpoint, "responses": responses}, nil)
}

// ShowCertificate shows a faulty certificate to new connections: expired, otherName or selfSigned; "" shows the valid one.
func (c *Control) ShowCertificate(fault string) error {
	body := Members{}
	if fault != "" {
		body["fault"] = fault
	}
	return c.Do("POST", "/certificate", body, nil)
}

// Clock is the emulated time: now, frozen and skews.
func (c *Control) Clock() (Members, error) { return c.get("/clock") }

// AdvanceClock moves the emulated time: tokens, codes and sessions grow older.
func (c *Control) AdvanceClock(by time.Duration) error {
	return c.Do("POST", "/clock", Members{"advance": int(by / time.Second)}, nil)
}

// SetClock sets the emulated time.
func (c *Control) SetClock(date time.Time) error {
	return c.Do("POST", "/clock", Members{"set": date.UTC().Format(time.RFC3339)}, nil)
}

// FreezeClock stops the emulated time, or lets it continue.
func (c *Control) FreezeClock(frozen bool) error {
	return c.Do("POST", "/clock", Members{"freeze": frozen}, nil)
}

// SkewClock sets a different time for one client; zero ends it.
func (c *Control) SkewClock(clientID string, by time.Duration) error {
	return c.Do("POST", "/clock", Members{"clientId": clientID, "skew": int(by / time.Second)}, nil)
}

// RevokeSignIns ends all sign-ins of a user.
func (c *Control) RevokeSignIns(user string) error {
	return c.Do("POST", "/revoke", Members{"userPrincipalName": user}, nil)
}

// SignIns is the policy decisions, oldest first.
func (c *Control) SignIns() ([]Members, error) {
	var list struct{ Signins []Members }
	err := c.Do("GET", "/signins", nil, &list)
	return list.Signins, err
}

// SignInNext completes the next authorization requests without a page, including consent and second factor.
func (c *Control) SignInNext(user string, count int) error {
	return c.Do("POST", "/sign-in", Members{"userPrincipalName": user, "count": count}, nil)
}

// SetClaims sets claims in tokens; nil removes a claim. The scope has user, application, api, token (idToken or
// accessToken), once for only the next sign-in, and force for restricted claims. The result is the setting, which
// Remove("tokenClaims", id) ends.
func (c *Control) SetClaims(claims, scope Members) (Members, error) {
	body := Members{"claims": claims}
	for name, value := range scope {
		body[name] = value
	}
	var setting Members
	err := c.Do("POST", "/claims", body, &setting)
	return setting, err
}

// Challenge makes the APIs challenge a user's app for claims, JSON with acrs or nbf; "" ends it.
func (c *Control) Challenge(user, claims string) error {
	body := Members{"user": user}
	if claims != "" {
		body["claims"] = claims
	}
	return c.Do("POST", "/challenge", body, nil)
}

// AccessToken creates an access token without a sign-in, for a test of an API.
func (c *Control) AccessToken(token Token) (string, error) {
	var minted struct {
		Text string `json:"access_token"`
	}
	err := c.Do("POST", "/tokens", token, &minted)
	return minted.Text, err
}

// RollOverSigningKey makes a new key sign all tokens from now on.
func (c *Control) RollOverSigningKey() error {
	return c.Do("POST", "/keys", Members{"rollover": true}, nil)
}

// AnnounceSigningKey publishes the next key, which does not sign yet.
func (c *Control) AnnounceSigningKey() error {
	return c.Do("POST", "/keys", Members{"announce": true}, nil)
}

// FlawFederatedTokens adds a flaw to the next tokens of the emulator's own issuers. The members are flaw, issuer and count.
func (c *Control) FlawFederatedTokens(members Members) error {
	return c.Do("POST", "/issuers", members, nil)
}

// ManagedIdentity is the identities of the machine, the environment of programs, and the pending failures.
func (c *Control) ManagedIdentity() (Members, error) { return c.get("/managed-identity") }

// AssignManagedIdentity assigns an identity of the directory to the machine, or removes it.
func (c *Control) AssignManagedIdentity(name string, assigned bool) error {
	return c.Do("POST", "/managed-identity", Members{"identity": name, "assigned": assigned}, nil)
}

// FailManagedIdentity makes its endpoints fail. The members are status, source, retryAfter, message and count.
func (c *Control) FailManagedIdentity(members Members) error {
	return c.Do("POST", "/managed-identity", members, nil)
}

// FlawManagedIdentity makes responses untrustworthy. The members are flaw, source and count.
func (c *Control) FlawManagedIdentity(members Members) error {
	return c.Do("POST", "/managed-identity", members, nil)
}

// Snapshots is the names of the snapshots.
func (c *Control) Snapshots() ([]string, error) {
	var list struct{ Snapshots []string }
	err := c.Do("GET", "/snapshots", nil, &list)
	return list.Snapshots, err
}

// TakeSnapshot stores directory, users, consents, sessions and tokens under a name.
func (c *Control) TakeSnapshot(name string) error {
	return c.Do("POST", "/snapshots/"+url.PathEscape(name), nil, nil)
}

// RestoreSnapshot restores a snapshot.
func (c *Control) RestoreSnapshot(name string) error {
	return c.Do("PUT", "/snapshots/"+url.PathEscape(name), nil, nil)
}

// Directory is the whole directory, in the form of a file.
func (c *Control) Directory() (Members, error) { return c.get("/directory") }

// AddToDirectory adds many entries at once, or none. The members are lists, such as users and groups.
func (c *Control) AddToDirectory(lists Members) error { return c.Do("POST", "/directory", lists, nil) }

// NativeAuth is the settings of native authentication.
func (c *Control) NativeAuth() (Members, error) { return c.get("/native") }

// ChangeNativeAuth changes settings of native authentication; nil restores the default.
func (c *Control) ChangeNativeAuth(members Members) error {
	return c.Do("PATCH", "/native", members, nil)
}
