// Measures MSAL Go for scripts/benchmark. The library does not use it.
module benchmarks.example/msal_go

go 1.19

require (
	github.com/AzureAD/microsoft-authentication-library-for-go v1.9.0
	github.com/golang-jwt/jwt/v5 v5.2.2
)

require (
	github.com/google/uuid v1.3.0 // indirect
	github.com/kylelemons/godebug v1.1.0 // indirect
	github.com/pkg/browser v0.0.0-20210911075715-681adbf594b8 // indirect
	golang.org/x/sync v0.10.0 // indirect
	golang.org/x/sys v0.5.0 // indirect
)
