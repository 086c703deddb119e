// Licensed under the MIT License. See LICENSE.

package entraemulator

import (
	"net/url"
	"time"
)

// Members of a request or of a response, as JSON has them.
type Members = map[string]any

func (c *Control) get(path string) (Members, error) {
	var members Members
	err := c.Do("GET", path, nil, &members)
	return members, err
}

// entry reads the member entry of a response; nil is there where nothing fits.
func (c *Control) entry(path string, filter Members) (Members, error) {
	var found struct{ Entry Members }
	err := c.Do("POST", path, filter, &found)
	return found.Entry, err
}

// APIDescription is the description of the control API in the form of OpenAPI.
func (c *Control) APIDescription() (Members, error) { return c.get("/openapi.json") }

// TakeFromJournal takes the oldest request that fits out of the journal; nil if there is none. The filter has pathSuffix,
// method, status, correlationId and number.
func (c *Control) TakeFromJournal(filter Members) (Members, error) {
	return c.entry("/journal/take", filter)
}

// ExpectRequest waits until a request that fits is in the journal; nil if none comes. The filter also has seconds, ten at
// most, and after, the id of an entry behind which it has to be.
func (c *Control) ExpectRequest(filter Members) (Members, error) { return c.entry("/expect", filter) }

// EnqueueFault makes the next requests of an endpoint fail.
func (c *Control) EnqueueFault(fault Fault) error { return c.Do("POST", "/faults", fault, nil) }

// ClearFaults forgets the faults that are still to happen.
func (c *Control) ClearFaults() error { return c.Do("DELETE", "/faults", nil, nil) }

// EnqueueResponses answers the next requests of native authentication by the names of responses.
func (c *Control) EnqueueResponses(endpoint string, responses ...string) error {
	return c.Do("POST", "/answers", Members{"endpoint": endpoint, "responses": responses}, nil)
}

// ShowCertificate shows a faulty certificate to new connections: expired, otherName or selfSigned; "" shows the good one.
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

// FreezeClock stops the emulated time, or lets it go on.
func (c *Control) FreezeClock(frozen bool) error {
	return c.Do("POST", "/clock", Members{"freeze": frozen}, nil)
}

// SkewClock lets the time of one client differ; zero ends it.
func (c *Control) SkewClock(clientID string, by time.Duration) error {
	return c.Do("POST", "/clock", Members{"clientId": clientID, "skew": int(by / time.Second)}, nil)
}

// RevokeSignIns ends all sign-ins of a user.
func (c *Control) RevokeSignIns(user string) error {
	return c.Do("POST", "/revoke", Members{"userPrincipalName": user}, nil)
}

// SignIns is what the policies decided, oldest first.
func (c *Control) SignIns() ([]Members, error) {
	var list struct{ Signins []Members }
	err := c.Do("GET", "/signins", nil, &list)
	return list.Signins, err
}

// SignInNext answers the next authorization requests without a page: consent, second factor and all.
func (c *Control) SignInNext(user string, count int) error {
	return c.Do("POST", "/sign-in", Members{"userPrincipalName": user, "count": count}, nil)
}

// Challenge lets the APIs ask a user's app for claims, JSON with acrs or nbf; "" ends it.
func (c *Control) Challenge(user, claims string) error {
	body := Members{"user": user}
	if claims != "" {
		body["claims"] = claims
	}
	return c.Do("POST", "/challenge", body, nil)
}

// AccessToken gives an access token without a sign-in, for a test of an API.
func (c *Control) AccessToken(token Token) (string, error) {
	var minted struct {
		Text string `json:"access_token"`
	}
	err := c.Do("POST", "/tokens", token, &minted)
	return minted.Text, err
}

// RollOverSigningKey lets a new key sign all tokens from now on.
func (c *Control) RollOverSigningKey() error {
	return c.Do("POST", "/keys", Members{"rollover": true}, nil)
}

// AnnounceSigningKey shows the next key, which does not sign yet.
func (c *Control) AnnounceSigningKey() error {
	return c.Do("POST", "/keys", Members{"announce": true}, nil)
}

// FlawFederatedTokens makes the next tokens of the emulator's own issuers wrong. The members are flaw, issuer and count.
func (c *Control) FlawFederatedTokens(members Members) error {
	return c.Do("POST", "/issuers", members, nil)
}

// ManagedIdentity is the identities of the machine, the environment of programs, and the failures to come.
func (c *Control) ManagedIdentity() (Members, error) { return c.get("/managed-identity") }

// AssignManagedIdentity gives the machine an identity of the directory, or takes it.
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

// TakeSnapshot keeps directory, users, consents, sessions and tokens under a name.
func (c *Control) TakeSnapshot(name string) error {
	return c.Do("POST", "/snapshots/"+url.PathEscape(name), nil, nil)
}

// RestoreSnapshot returns to a snapshot.
func (c *Control) RestoreSnapshot(name string) error {
	return c.Do("PUT", "/snapshots/"+url.PathEscape(name), nil, nil)
}

// Directory is the whole directory, in the form of a file.
func (c *Control) Directory() (Members, error) { return c.get("/directory") }

// AddToDirectory adds many entries at once, or none. The members are lists, such as users and groups.
func (c *Control) AddToDirectory(lists Members) error { return c.Do("POST", "/directory", lists, nil) }

// NativeAuth is the settings of native authentication.
func (c *Control) NativeAuth() (Members, error) { return c.get("/native") }

// ChangeNativeAuth changes settings of native authentication; nil returns to the default.
func (c *Control) ChangeNativeAuth(members Members) error {
	return c.Do("PATCH", "/native", members, nil)
}
