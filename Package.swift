// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

// An app pays for what it uses. A package that depends on this one by URL gets what `MSAL` needs, and asks for more with
// `traits: ["Emulator"]`. This repository itself, and a package that depends on it by path, get everything, with one trait:
// SwiftPM passes traits to the compiler in the random order of a set, so several would make each new plan a full build.
// SwiftPM reads the manifest of a dependency out of its repository, at "/", and later in a folder of checkouts.
let isDependency =
    Context.packageDirectory == "/"
    || ["/checkouts/", "/registry/downloads/"].contains { Context.packageDirectory.contains($0) }

/// A product of another package; with `traits`, only where one of them, or `All`, is enabled.
func product(_ name: String, _ package: String, _ traits: String...) -> Target.Dependency {
    .product(name: name, package: package, condition: traits.isEmpty ? nil : .when(traits: Set(traits).union(["All"])))
}

let argumentParser = product("ArgumentParser", "swift-argument-parser", "Command", "Emulator")
let asn1 = product("SwiftASN1", "swift-asn1")
let certificates = product("X509", "swift-certificates", "Emulator")
let coreMetrics = product("CoreMetrics", "swift-metrics", "Metrics")
let grdb = product("GRDB", "GRDB.swift")
let hashes = product("Crypto", "swift-crypto")
let hummingbird = product("Hummingbird", "hummingbird", "Hummingbird")
let inMemoryTracing = product("InMemoryTracing", "swift-distributed-tracing", "Tracing")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle", "ServiceLifecycle")
let logging = product("Logging", "swift-log")
let nioCore = product("NIOCore", "swift-nio")
let nioEmbedded = product("NIOEmbedded", "swift-nio")
let nioPosix = product("NIOPosix", "swift-nio")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let swiftConfiguration = product("Configuration", "swift-configuration", "Configuration")
let tracing = product("Tracing", "swift-distributed-tracing", "Tracing")

/// Hashes, signatures, and authenticated encryption; and RSA.
let crypto = [hashes, product("CryptoExtras", "swift-crypto")]
/// Requests over HTTPS: the client, its event loops and buffers, and its trust roots.
let http = [product("AsyncHTTPClient", "async-http-client"), nioCore, nioHTTP1, nioSSL]
/// Sockets of this process, and HTTP/1.1 on them.
let nio = [nioCore, nioPosix, nioHTTP1]

let package = Package(
    name: "msal-swift-linux",
    // For services and the emulator, whose locks came with this release. MSAL itself is for Linux.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MSAL", targets: ["MSAL"]),
        .library(name: "MSALTesting", targets: ["MSALTesting"]),
        .library(name: "MSALServer", targets: ["MSALServer"]),
        .library(name: "MSALHummingbird", targets: ["MSALHummingbird"]),
        .library(name: "MSALStoreConformance", targets: ["MSALStoreConformance"]),
        .library(name: "EntraEmulator", targets: ["EntraEmulator"]),
        .library(name: "EntraEmulatorTesting", targets: ["EntraEmulatorTesting"]),
        .library(name: "EntraEmulatorBroker", targets: ["EntraEmulatorBroker"]),
        .executable(name: "msal", targets: ["MSALCLI"]),
        .executable(name: "entra-emulator", targets: ["EntraEmulatorCLI"]),
    ],
    traits: [
        .trait(name: "Emulator", description: "The library EntraEmulator and the command entra-emulator."),
        .trait(name: "Command", description: "The command msal."),
        .trait(name: "Configuration", description: "Settings of MSALServer from swift-configuration."),
        .trait(name: "Metrics", description: "Metrics of MSALServer for swift-metrics."),
        .trait(name: "Tracing", description: "Spans of MSALServer for swift-distributed-tracing."),
        .trait(name: "ServiceLifecycle", description: "MSALServer as a service of swift-service-lifecycle."),
        .trait(name: "Hummingbird", description: "The library MSALHummingbird, for APIs on Hummingbird 2."),
        .trait(name: "All", description: "Everything: for development of this package."),
        .default(enabledTraits: isDependency ? [] : ["All"]),
    ],
    dependencies: [
        // HTTPS to the identity platform. On Linux, URLSession doubles the time to start and ignores CA files.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // Event loops and sockets of the HTTP client; the listener for the redirect; the emulator's server.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // TLS with additional trust roots (SSL_CERT_FILE, the app's CA file), and client certificates.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // SHA-256 for PKCE, AES-GCM for the token store, RSA and ECDSA for signatures of tokens.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // Settings of a service, which reads its environment, files, and secrets in its own way.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        // Metrics and spans of a service: only the API modules, without an exporter.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // Starts and stops a service together with the services that it runs.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Typed HTTP fields and statuses in responses of the emulator and of MSALHummingbird.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // The token store: SQLite, with transactions of several processes.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The logs of services and of the emulator's server.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The options of both commands.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The settings file of `msal`, and the directory file of the emulator.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // The emulator's HTTP server with TLS; the server that MSALHummingbird is for. One trait, because the order of several
        // is random (see above).
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        // The emulator's own certificate authority.
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        // Names in those certificates, and keys of identity providers, which are certificates. swift-crypto needs it too.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        // The emulator's pages.
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // A client of the session bus, for the Secret Service and the desktop portal. It knows nothing of identity, and uses no
        // C library, so static builds and builds for arm64 need none.
        .target(name: "DBus"),
        // Reads files that a user names. A target of its own, because the command, which uses public API only, reads such
        // files too.
        .target(name: "UserFiles"),
        // Rules for an HTTP client on either side: addresses that would crash it, interim responses, descriptions of its errors,
        // and the addresses of `localhost`. A target of its own, because the emulator imports nothing of the client, and
        // `MSALBase` knows no network. NIOPosix has the error of a refused connection.
        .target(name: "HTTPGuards", dependencies: http + [nioPosix, "MSALBase"]),
        // Knows no protocol: secrets that do not print, JSON, log lines, files for one user, the clock. The emulator uses it too.
        .target(name: "MSALBase"),
        // Sealed rows in a file that processes share: files and locks, format, keys, transactions, maintenance. Knows nothing of
        // tokens. In the library, only this target imports GRDB; GRDBSQLite is for the one statement that runs on every call.
        .target(
            name: "SealedStore",
            dependencies: ["DBus", "MSALBase", "UserFiles", hashes, grdb, product("GRDBSQLite", "GRDB.swift")]
        ),
        // The protocol without a store and without a desktop: HTTP, OAuth, authorities, ID tokens. A server can use it, because
        // it links neither GRDB nor SQLite nor DBus: scripts/check-structure.
        .target(
            name: "MSALCore",
            dependencies: ["HTTPGuards", "MSALBase", "UserFiles", nioPosix, asn1] + http + crypto
        ),
        .target(
            name: "MSAL",
            dependencies: ["DBus", "HTTPGuards", "MSALCore", "MSALBase", "SealedStore", "UserFiles"] + nio + crypto
        ),
        // Makes results, accounts, and errors from values, for tests of apps. A product of its own, because no app ships it.
        .target(name: "MSALTesting", dependencies: ["MSAL", "MSALBase"]),
        // Tokens for services: confidential clients, managed identity, credential chains. Independent of MSAL, because a service
        // wants neither a store nor a desktop. NIOSSL and ASN.1 read certificates and their chains, PKCS#12, and encrypted keys.
        .target(
            name: "MSALServer",
            dependencies: [
                "HTTPGuards", "MSALCore", "MSALBase", "UserFiles", asn1, nioSSL, logging, swiftConfiguration,
                product("Metrics", "swift-metrics", "Metrics"), tracing, lifecycle,
            ] + nio + crypto
        ),
        // Checks for the tests of a store that instances share; and a store in memory, for the tests of services.
        .target(name: "MSALStoreConformance", dependencies: ["MSALServer"]),
        // Gets a service's token, and shows that a service links MSALServer only: scripts/check-standalone.
        .executableTarget(name: "ServiceProbe", dependencies: ["MSALServer"], path: "Tests/ServiceProbe"),
        // The output of both commands. A target of its own, so that no other code can write text in which a value is invisible.
        .target(name: "CommandOutput"),
        // Crypto seals the tokens of registries; MSALServer logs through swift-log, and is silent unless asked.
        .executableTarget(
            name: "MSALCLI",
            dependencies: [
                "CommandOutput", "MSAL", "MSALServer", "UserFiles", hashes, logging, product("Yams", "Yams", "Command"),
                product("ArgumentParser", "swift-argument-parser", "Command"),
            ]
        ),
        // Of this package it imports only targets that know nothing of identity: scripts/check-structure. NIOTLS reads the name
        // that a client asks for before its TLS handshake; requests are for keys of issuers that federated credentials name.
        .target(
            name: "EntraEmulator",
            dependencies: [
                "CommandOutput", "HTTPGuards", "MSALBase", "UserFiles", grdb, asn1, certificates,
                product("Hummingbird", "hummingbird", "Emulator"),
                product("HummingbirdCore", "hummingbird", "Emulator"),
                product("NIOTLS", "swift-nio"),
                product("HTTPTypes", "swift-http-types", "Emulator"),
                product("Logging", "swift-log", "Emulator"),
                product("Mustache", "swift-mustache", "Emulator"),
                product("Yams", "Yams", "Emulator"),
            ] + http + crypto
        ),
        // `run` signs people in where no browser can open; `seed export` sends requests to a running emulator.
        .executableTarget(
            name: "EntraEmulatorCLI",
            dependencies: [
                "BrowserProfiles", "CommandOutput", "EntraEmulator", "EntraEmulatorTesting", "HTTPGuards", "MSALBase",
                "UserFiles",
                .target(name: "EntraEmulatorBroker", condition: .when(platforms: [.linux])), argumentParser,
            ] + http
        ),
        // A browser without a screen: follows redirects and fills in HTML forms. Knows neither side.
        .target(name: "ScriptedAgent", dependencies: ["HTTPGuards", "MSALBase", "UserFiles"] + http),
        // The emulator in a test, with scripted browsers that sign people in. It imports nothing of MSAL.
        .target(name: "EntraEmulatorTesting", dependencies: ["EntraEmulator", "MSALBase", "ScriptedAgent"]),
        // A double of the identity broker of a Linux desktop: a service on a session bus, with the emulator's directory. It
        // imports nothing of MSAL, and gets its tokens with requests, as a client does.
        .target(name: "EntraEmulatorBroker", dependencies: ["DBus", "EntraEmulator", "MSALBase"] + http + crypto),
        .executableTarget(name: "ScriptedBrowser", dependencies: ["ScriptedAgent"], path: "Tests/ScriptedBrowser"),
        // A browser with a temporary profile that trusts one more certificate authority.
        .target(name: "BrowserProfiles", dependencies: ["CommandOutput", "MSALBase"]),
        // scripts/demo: the README's steps against the embedded emulator.
        .executableTarget(
            name: "Demo",
            dependencies: ["BrowserProfiles", "HTTPGuards", "MSAL", "EntraEmulator", "ScriptedAgent"] + http,
            path: "Tests/Demo"
        ),
        // On Hummingbird 2: middleware that validates the tokens of an API's callers, the sign-in of a web application, and an
        // authorization adapter for MCP clients, which encrypts what browsers keep and resolves names.
        .target(
            name: "MSALHummingbird",
            dependencies: [
                "MSALBase", "MSALCore", "MSALServer", hashes, hummingbird, nioCore, nioPosix, nioSSL,
                product("HTTPTypes", "swift-http-types", "Hummingbird"),
            ]
        ),

        // The programs of Examples/ that tests run. Each is also a package of its own.
        .executableTarget(
            name: "GraphDaemon",
            dependencies: ["MSALServer"] + http,
            path: "Examples/GraphDaemon/Sources/GraphDaemon"
        ),
        .executableTarget(
            name: "SignInWebApp",
            dependencies: [
                "MSALServer", "MSALHummingbird", hummingbird, nioSSL,
                product("HummingbirdTLS", "hummingbird", "Hummingbird"),
                product("HTTPTypes", "swift-http-types", "Hummingbird"),
            ],
            path: "Examples/SignInWebApp/Sources/SignInWebApp"
        ),
        .executableTarget(
            name: "OrdersAPI",
            dependencies: ["MSALServer", "MSALHummingbird", hummingbird],
            path: "Examples/OrdersAPI/Sources/OrdersAPI"
        ),
        .executableTarget(
            name: "StockAPI",
            dependencies: ["MSALServer", "MSALHummingbird", hummingbird],
            path: "Examples/StockAPI/Sources/StockAPI"
        ),
        .executableTarget(
            name: "ToolServer",
            dependencies: ["MSALServer", "MSALHummingbird", hummingbird],
            path: "Examples/ToolServer/Sources/ToolServer"
        ),

        // Limits how many test cases run at the same time.
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        .target(
            name: "TestSupport",
            dependencies: ["MSALCore", "MSALBase", "TestWidth"] + crypto,
            path: "Tests/TestSupport"
        ),
        // Doubles of what belongs to MSAL itself, which is for Linux.
        .target(
            name: "ClientTestSupport",
            dependencies: ["DBus", "MSAL", "MSALCore", "MSALBase", "SealedStore", "TestSupport"],
            path: "Tests/ClientTestSupport"
        ),
        // A process that uses a token store, for tests that kill it, run many of it, or deny it memory.
        .executableTarget(
            name: "StoreWorker",
            dependencies: ["MSAL", "MSALCore", "MSALBase", "SealedStore"],
            path: "Tests/StoreWorker"
        ),
        // Seals and opens a value repeatedly, for scripts/benchmark. An app cannot do either alone.
        .executableTarget(name: "SealingTimes", dependencies: ["MSALServer"], path: "Benchmarks/Sealing"),
        // Checks sessions of a web application, and signs in through an authorization adapter, for scripts/benchmark.
        .executableTarget(
            name: "SessionTimes",
            dependencies: [
                "MSALServer", "MSALHummingbird", "MSALStoreConformance", "MSALBase", "MSALCore", hummingbird, logging,
            ],
            path: "Benchmarks/Sessions"
        ),
        // A store that instances share, in a process of its own, with faults on request.
        .target(
            name: "SocketStore",
            dependencies: ["MSALServer", "MSALStoreConformance"] + nio,
            path: "Tests/SocketStore"
        ),
        .executableTarget(name: "StoreServer", dependencies: ["SocketStore"], path: "Tests/StoreServer"),
        // A service whose metrics and spans are observed from outside, by Prometheus among others.
        .executableTarget(
            name: "ObservedService",
            dependencies: ["MSALServer", "SocketStore", hummingbird, coreMetrics, tracing, inMemoryTracing],
            path: "Tests/ObservedService"
        ),
        // A web application that signs its users in, of which a test starts several instances.
        .executableTarget(
            name: "SignInSite",
            dependencies: ["MSALServer", "MSALHummingbird", "SocketStore", hummingbird],
            path: "Tests/SignInSite"
        ),
        // A service that gets a token with one credential. Its requests are compared with those of other libraries.
        .executableTarget(name: "TokenClient", dependencies: ["MSALServer"], path: "Tests/TokenClient"),
        // An app and a service whose authority is an OpenID Connect issuer in another language.
        .executableTarget(name: "IssuerClient", dependencies: ["MSAL", "MSALServer"], path: "Tests/IssuerClient"),
        // An app with a custom URL scheme, started by a desktop.
        .executableTarget(name: "EnvironmentApp", dependencies: ["MSAL"], path: "Tests/Environments/App"),

        .testTarget(name: "DBusTests", dependencies: ["DBus", "TestSupport", "TestWidth"]),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "ClientTestSupport", "DBus", "MSAL", "MSALCore", "MSALBase", "SealedStore", "StoreWorker",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "NativeAuthTests",
            dependencies: ["ClientTestSupport", "MSAL", "MSALCore", "MSALBase", "SealedStore", "TestSupport"]
        ),
        .testTarget(
            name: "MSALTests",
            dependencies: [
                "HTTPGuards", "MSAL", "MSALCore", "MSALBase", "SealedStore", "DBus", "ClientTestSupport", "TestSupport",
                "UserFiles",
                grdb, nioEmbedded, nioPosix, certificates, asn1,
            ] + http + crypto
        ),
        .testTarget(name: "MSALTestingTests", dependencies: ["MSAL", "MSALTesting", "TestWidth"]),
        .testTarget(
            name: "MSALServerTests",
            dependencies: [
                "MSALServer", "MSALStoreConformance", "SocketStore", "StoreServer", "MSALHummingbird", "MSALCore",
                "MSALBase",
                "TestSupport", "UserFiles", "EntraEmulator", "EntraEmulatorTesting", "ScriptedAgent",
                hummingbird,
                product("HummingbirdTLS", "hummingbird", "Hummingbird"),
                product("HTTPTypes", "swift-http-types", "Hummingbird"),
                logging, swiftConfiguration,
                product("MetricsTestKit", "swift-metrics", "Metrics"),
                coreMetrics, tracing, inMemoryTracing, lifecycle,
                product("ServiceLifecycleTestKit", "swift-service-lifecycle", "ServiceLifecycle"),
                product("AsyncHTTPClient", "async-http-client"),
                nioSSL, certificates, asn1,
            ] + nio + crypto
        ),
        .testTarget(
            name: "EntraEmulatorTests",
            dependencies: [
                "BrowserProfiles", "EntraEmulator", "HTTPGuards", "MSALBase", "TestSupport",
                nioEmbedded, nioPosix, grdb, asn1, certificates,
            ] + http + crypto
        ),
        .testTarget(name: "EntraEmulatorTestingTests", dependencies: ["EntraEmulator", "EntraEmulatorTesting"]),
        .testTarget(
            name: "EntraEmulatorBrokerTests",
            dependencies: [
                "DBus", "EntraEmulator", "EntraEmulatorBroker", "EntraEmulatorTesting", "MSALBase", "TestSupport",
            ] + http
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "MSAL", "MSALCore", "MSALServer", "MSALBase", "MSALTesting", "SealedStore", "EntraEmulator",
                "EntraEmulatorBroker",
                "EntraEmulatorTesting", "ScriptedAgent", "ClientTestSupport", "TestSupport", logging,
            ]
        ),
        .testTarget(
            name: "MSALCLITests",
            dependencies: [
                "ClientTestSupport", "CommandOutput", "MSALCLI", "MSALCore", "MSALServer", "MSALBase", "SealedStore",
                "TestSupport",
                "UserFiles",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Examples keep the settings of a package that depends on this one.
for target in package.targets where target.path?.hasPrefix("Examples/") != true && target.name != "TestWidth" {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ] + ["Configuration", "Metrics", "ServiceLifecycle", "Tracing"].map { .define($0, .when(traits: ["All"])) }
}

// MSAL itself is for Linux: its store, its keyring, its portal, its command. On macOS these are left out. What remains is for
// services and their tests. No other target may depend on one of these, except on Linux alone: scripts/check-structure.
let onlyForLinux: Set = [
    "MSAL", "MSALTesting", "SealedStore", "DBus", "MSALCLI", "msal", "Demo", "ClientTestSupport", "StoreWorker",
    "EnvironmentApp", "IssuerClient",
    "DBusTests", "StoreTests", "NativeAuthTests", "MSALTests", "MSALTestingTests", "EndToEndTests", "MSALCLITests",
    "EntraEmulatorBroker", "EntraEmulatorBrokerTests",
]
#if !os(Linux)
    package.products.removeAll { onlyForLinux.contains($0.name) }
    package.targets.removeAll { onlyForLinux.contains($0.name) }
    for target in package.targets {
        target.dependencies.removeAll { dependency in
            if case .targetItem(let name, _) = dependency { onlyForLinux.contains(name) } else { false }
        }
    }
#endif

// `MSAL_TESTS=DBusTests,StoreTests swift test` builds these test targets and leaves the others out.
if let chosen = Context.environment["MSAL_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

// The linker that is the default for Swift on Linux takes three times as long as this one, which comes with Swift as well. A
// first build of all links 19 programs.
if !isDependency {
    for target in package.targets where target.type == .executable || target.type == .test {
        target.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux], configuration: .debug))]
    }
}
