// Licensed under the MIT License. See LICENSE.

package main

import (
	"context"
	"fmt"
	"math/rand"

	"github.com/AzureAD/microsoft-authentication-library-for-go/apps/confidential"
)

func service() confidential.Client {
	secret, err := confidential.NewCredFromSecret("not-a-secret")
	check(err)
	app, err := confidential.New(
		"https://"+host+"/"+tenant, clientID, secret,
		confidential.WithHTTPClient(standIn{}), confidential.WithInstanceDiscovery(false),
	)
	check(err)
	return app
}

// applicationTokens measures cached tokens of the application itself, for random tenants.
func applicationTokens(tenants int, figures map[string]float64) {
	app := service()
	get := func(number int, source confidential.TokenSource) {
		id := fmt.Sprintf("33333333-3333-4333-8333-%012d", number)
		result, err := app.AcquireTokenByCredential(
			context.Background(), []string{"https://graph.microsoft.com/.default"}, confidential.WithTenantID(id),
		)
		check(err)
		checkSource(result, source)
	}
	for number := 0; number < tenants; number++ {
		get(number, confidential.TokenSourceIdentityProvider)
	}
	figures[fmt.Sprintf("application-token/%d", tenants)] = microseconds(func() {
		get(rand.Intn(tenants), confidential.TokenSourceCache)
	})
}

// onBehalf measures cached tokens on behalf of random users.
func onBehalf(users int, figures map[string]float64) {
	app := service()
	assertions := make([]string, users)
	get := func(number int, source confidential.TokenSource) {
		result, err := app.AcquireTokenOnBehalfOf(context.Background(), assertions[number], scopes)
		check(err)
		checkSource(result, source)
	}
	for number := range assertions {
		assertions[number] = padded(fmt.Sprintf("u%d-", number), 1600, "u")
		get(number, confidential.TokenSourceIdentityProvider)
	}
	figures[fmt.Sprintf("on-behalf/%d", users)] = microseconds(func() {
		get(rand.Intn(users), confidential.TokenSourceCache)
	})
}

func checkSource(result confidential.AuthResult, source confidential.TokenSource) {
	if result.AccessToken == "" || result.Metadata.TokenSource != source {
		fail("the token has an unexpected source")
	}
}
