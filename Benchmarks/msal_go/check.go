// Licensed under the MIT License. See LICENSE.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// checkToken measures full checks of the token that Benchmarks/token_checks.py wrote, and prints the CPU time of a check in
// microseconds: each value is the mean of 100 checks.
func checkToken(path string) {
	text, err := os.ReadFile(path)
	check(err)
	var given struct{ Token, PublicKey, Audience, Issuer string }
	check(json.Unmarshal(text, &given))
	key, err := jwt.ParseRSAPublicKeyFromPEM([]byte(given.PublicKey))
	check(err)
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"RS256"}), jwt.WithAudience(given.Audience), jwt.WithIssuer(given.Issuer),
		jwt.WithExpirationRequired(),
	)
	keys := func(*jwt.Token) (any, error) { return key, nil }
	var times []float64
	for sample := 0; sample < 32; sample++ {
		start := cpu()
		for call := 0; call < 100; call++ {
			_, err := parser.Parse(given.Token, keys)
			check(err)
		}
		times = append(times, inMicroseconds(cpu()-start)/100)
	}
	report, err := json.Marshal(map[string]any{"version": jwtVersion(), "microseconds": times[1:]})
	check(err)
	fmt.Println(string(report))
}

func jwtVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if strings.HasPrefix(module.Path, "github.com/golang-jwt/jwt/") {
			return module.Version
		}
	}
	return "unknown"
}
