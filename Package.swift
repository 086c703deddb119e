// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + ["Configuration", "Metrics", "ServiceLifecycle", "Tracing"].map { .define($0, .when(traits: ["All"])) }

// Event loops and buffers, sockets, HTTP/1.1, and TLS.
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

// Products that are needed together.
// Requests over HTTPS: the client, its event loops and buffers, and what it is told to trust.
let http: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioHTTP1, nioSSL,
]
// Sockets of this process, and HTTP/1.1 on them.
let nio = [nioCore, nioPosix, nioHTTP1]
// Hashes, signatures and seals, and RSA.
let crypto: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto"),
    .product(name: "CryptoExtras", package: "swift-crypto"),
]

// An app pays for what it uses. A package that depends on this one by URL gets what `MSAL` needs, and asks for more with
// `traits: ["Emulator"]`. This repository itself, and a package that depends on it by path, get everything, with one trait:
// SwiftPM passes traits to the compiler in the random order of a set, so several would make each new plan a full build.
// SwiftPM reads the manifest of a dependency out of its repository, at "/", and later in a folder of checkouts.
let isDependency =
    Context.packageDirectory == "/"
    || ["/checkouts/", "/registry/downloads/"].contains { Context.packageDirectory.contains($0) }

/// The condition for what one of these traits brings.
func trait(_ names: String...) -> TargetDependencyCondition? { .when(traits: Set(names).union(["All"])) }
let emulator = trait("Emulator")
let command = trait("Command")
let configuration = trait("Configuration")
let metrics = trait("Metrics")
let tracing = trait("Tracing")
let lifecycle = trait("ServiceLifecycle")
let hummingbird = trait("Hummingbird")
let commands = trait("Command", "Emulator")

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
        // HTTPS towards the identity platform; Linux's URLSession doubles the start-up time and ignores CA files.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // Event loops and sockets beneath the HTTP client; the loopback receiver of the redirect listens with it.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // TLS configuration: additional trust roots (SSL_CERT_FILE, the app's CA file).
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // SHA-256 for PKCE, AES-GCM for the token store, RSA and ECDSA for the verification of id tokens.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // The settings of services, which read their environment, files and secrets their own way.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        // What services count and trace, where the application wants it: API modules, without an exporter.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // The start and the end of a service with all its parts.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Typed HTTP fields and status codes in the emulator's answers and in those of MSALHummingbird.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // The token store: SQLite with transactions that several processes may share.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The emulator's server writes its log through it.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The two commands.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The profile file of the `msal` command, and the directory file of the emulator.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // The emulator's HTTP server, with TLS; the server of MSALHummingbird.
        // One trait, for the reason above: it has several.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
        // The emulator's own certificate authority.
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        // The names inside those certificates; in MSAL, which gets it with swift-crypto anyway, the key inside a provider's.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        // The emulator's pages.
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // A client of the session bus: for the key in the Secret Service and the desktop portal. Knows nothing of
        // identity; no C library, so that static and arm64 builds need none.
        .target(name: "DBus", swiftSettings: strict),
        // The only way in which a file that a user names is read. A target of its own, because the command, which has to use
        // the public API alone, reads such files too.
        .target(name: "UserFiles", swiftSettings: strict),
        // What an HTTP client needs on either side: addresses that do not end it, no interim responses, words for its
        // errors, and the addresses of `localhost`. A target of its own, because the emulator imports nothing of the client's,
        // and `MSALBase` knows no network. NIOPosix has the error of a connection that nobody takes.
        .target(name: "HTTPGuards", dependencies: http + [nioPosix, "MSALBase"], swiftSettings: strict),
        // What knows no protocol: secrets that do not print, JSON, log lines, files of one user, the clock. The emulator
        // stands on it as well.
        .target(name: "MSALBase", swiftSettings: strict),
        // Sealed rows in a file that processes share: files and locks, format, keys, transactions, maintenance. Knows
        // nothing of tokens. In the library it alone imports GRDB.
        .target(
            name: "SealedStore",
            dependencies: [
                "DBus",
                "MSALBase",
                "UserFiles",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                // Its C functions, for the one statement that runs on every call.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        // The protocol without a store and without a desktop: HTTP, OAuth, authorities, id tokens. It links neither
        // GRDB nor SQLite nor DBus, so that a server can stand on it: scripts/check-structure.
        .target(
            name: "MSALCore",
            dependencies: [
                "HTTPGuards",
                "MSALBase",
                "UserFiles",
                nioPosix,
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ] + http + crypto,
            swiftSettings: strict
        ),
        .target(
            name: "MSAL",
            dependencies: [
                "DBus",
                "HTTPGuards",
                "MSALCore",
                "MSALBase",
                "SealedStore",
                "UserFiles",
            ] + nio + crypto,
            swiftSettings: strict
        ),
        // Results, accounts and errors out of values, for apps' tests. A product of its own: no app ships them.
        .target(name: "MSALTesting", dependencies: ["MSAL", "MSALBase"], swiftSettings: strict),
        // Tokens for services: confidential clients, managed identity, credential chains. It stands beside MSAL, because a
        // service wants neither a store nor a desktop.
        .target(
            name: "MSALServer",
            dependencies: [
                "HTTPGuards",
                "MSALCore",
                "MSALBase",
                "UserFiles",
                // Certificates and their chains, PKCS#12, encrypted keys, and the pinned server of Service Fabric.
                nioSSL,
                .product(name: "SwiftASN1", package: "swift-asn1"),
                // A service reads its log lines where it reads all others.
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Configuration", package: "swift-configuration", condition: configuration),
                .product(name: "Metrics", package: "swift-metrics", condition: metrics),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
            ] + nio + crypto,
            swiftSettings: strict
        ),
        // What a store that instances share has to do, as checks for its tests; and a store in memory, for those of services.
        .target(name: "MSALStoreConformance", dependencies: ["MSALServer"], swiftSettings: strict),
        // Gets a service's token. It shows that a service pays for MSALServer only: scripts/check-standalone.
        .executableTarget(name: "ServiceProbe", dependencies: ["MSALServer"], swiftSettings: strict),
        // What both commands write goes through it. A target of its own, because what it keeps to itself is the point:
        // no other code can write text in which a value is not visible.
        .target(name: "CommandOutput", swiftSettings: strict),
        .executableTarget(
            name: "MSALCLI",
            dependencies: [
                "CommandOutput",
                "MSAL",
                "MSALServer",
                "UserFiles",
                // Seals the tokens of registries.
                .product(name: "Crypto", package: "swift-crypto"),
                // Lines of MSALServer, which are not written unasked.
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
                .product(name: "Yams", package: "Yams", condition: command),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "EntraEmulator",
            dependencies: [
                "CommandOutput",
                "HTTPGuards",
                // JSON, base64url, secrets. Beside it the emulator may import only what knows nothing of identity:
                // scripts/check-structure.
                "MSALBase",
                "UserFiles",
                .product(name: "Hummingbird", package: "hummingbird", condition: emulator),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: emulator),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates", condition: emulator),
                // The name that a client asks for, before its TLS handshake.
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: emulator),
                .product(name: "Logging", package: "swift-log", condition: emulator),
                .product(name: "Mustache", package: "swift-mustache", condition: emulator),
                .product(name: "Yams", package: "Yams", condition: emulator),
                // Requests: for the keys of issuers that federated credentials name.
            ] + http + crypto,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "EntraEmulatorCLI",
            dependencies: [
                "BrowserProfiles",
                "CommandOutput",
                "EntraEmulator",
                // `run` signs people in where no browser can be shown.
                "EntraEmulatorTesting",
                "HTTPGuards",
                "UserFiles",
                .target(name: "EntraEmulatorBroker", condition: .when(platforms: [.linux])),
                // The version, of which the repository has one.
                "MSALBase",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commands),
                // Requests: `seed export` asks a running emulator.
            ] + http,
            swiftSettings: strict
        ),
        // A browser without a screen: follows redirects and fills in the HTML forms it is shown. Knows neither side.
        .target(
            name: "ScriptedAgent",
            dependencies: [
                "HTTPGuards",
                // The names of this machine.
                "MSALBase",
                "UserFiles",
            ] + http,
            swiftSettings: strict
        ),
        // The emulator in a test: browser stand-ins that sign people in. It imports nothing of MSAL.
        .target(
            name: "EntraEmulatorTesting",
            dependencies: ["EntraEmulator", "MSALBase", "ScriptedAgent"],
            swiftSettings: strict
        ),
        // A double of the identity broker of a Linux desktop: a service on a session bus, with the emulator's directory
        // behind it. It imports nothing of MSAL.
        .target(
            name: "EntraEmulatorBroker",
            dependencies: [
                "DBus",
                "EntraEmulator",
                "MSALBase",
                // Crypto: the key of signed requests.
                // Requests: the double gets its tokens where every client does.
            ] + http + crypto,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ScriptedBrowser",
            dependencies: ["ScriptedAgent"],
            swiftSettings: strict
        ),
        // A browser in a profile that trusts one certificate authority more, and that is deleted afterwards.
        .target(
            name: "BrowserProfiles",
            dependencies: [
                // Words for errors of Foundation.
                "CommandOutput",
                // The browser is a child process.
                "MSALBase",
            ],
            swiftSettings: strict
        ),
        // scripts/demo: the journey of the README against the embedded emulator.
        .executableTarget(
            name: "Demo",
            dependencies: [
                "BrowserProfiles",
                "HTTPGuards",
                "MSAL",
                "EntraEmulator",
                "ScriptedAgent",
            ] + http,
            swiftSettings: strict
        ),
        // An API on Hummingbird 2: the middleware that checks tokens, the context with the caller, the answers.
        .target(
            name: "MSALHummingbird",
            dependencies: [
                "MSALServer",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: hummingbird),
                nioCore,
                // The certificate of a client.
                nioSSL,
            ],
            swiftSettings: strict
        ),
        // The two programs of Examples/ that the tests run. Each is a package of its own as well, with the settings of one.
        .executableTarget(
            name: "GraphDaemon",
            dependencies: [
                "MSALServer"
            ] + http,
            path: "Examples/GraphDaemon/Sources/GraphDaemon"
        ),
        .executableTarget(
            name: "SignInWebApp",
            dependencies: [
                "MSALServer",
                .product(name: "Hummingbird", package: "hummingbird", condition: emulator),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: emulator),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: emulator),
                // Seals the sessions that instances share.
                .product(name: "Crypto", package: "swift-crypto"),
            ] + http,
            path: "Examples/SignInWebApp/Sources/SignInWebApp"
        ),
        // APIs and their callers, which run together against one emulator; and a server of tools.
        .executableTarget(
            name: "OrdersAPI",
            dependencies: [
                "MSALServer", "MSALHummingbird",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
            ],
            path: "Examples/OrdersAPI/Sources/OrdersAPI"
        ),
        .executableTarget(
            name: "StockAPI",
            dependencies: [
                "MSALServer", "MSALHummingbird",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
            ],
            path: "Examples/StockAPI/Sources/StockAPI"
        ),
        .executableTarget(
            name: "ToolServer",
            dependencies: [
                "MSALServer", "MSALHummingbird",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
            ],
            path: "Examples/ToolServer/Sources/ToolServer"
        ),
        // Limits the test cases that run at the same time.
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        .target(
            name: "TestSupport",
            dependencies: ["MSALCore", "MSALBase", "TestWidth"] + crypto,
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        // The doubles of what belongs to MSAL itself, which is for Linux.
        .target(
            name: "ClientTestSupport",
            dependencies: ["DBus", "MSAL", "MSALCore", "MSALBase", "SealedStore", "TestSupport"],
            path: "Tests/ClientTestSupport",
            swiftSettings: strict
        ),
        // A process of its own that uses a token store: what the tests kill, crowd and starve.
        .executableTarget(
            name: "StoreWorker",
            dependencies: ["MSAL", "MSALCore", "MSALBase", "SealedStore"],
            path: "Tests/StoreWorker",
            swiftSettings: strict
        ),
        // Seals and opens a value again and again, for scripts/benchmark. An app can do neither alone.
        .executableTarget(
            name: "SealingTimes",
            dependencies: ["MSALServer"],
            path: "Benchmarks/Sealing",
            swiftSettings: strict
        ),
        // A store that instances share, in a process of its own, which misbehaves when it is told to.
        .target(
            name: "SocketStore",
            dependencies: ["MSALServer", "MSALStoreConformance"] + nio,
            path: "Tests/SocketStore",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "StoreServer",
            dependencies: ["SocketStore"],
            path: "Tests/StoreServer",
            swiftSettings: strict
        ),
        // A service whose metrics and spans are looked at from outside, by Prometheus among others.
        .executableTarget(
            name: "ObservedService",
            dependencies: [
                "MSALServer", "SocketStore",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing),
            ],
            path: "Tests/ObservedService",
            swiftSettings: strict
        ),
        // A service that gets a token in one way. Its requests are compared with those of other libraries.
        .executableTarget(
            name: "TokenClient",
            dependencies: ["MSALServer"],
            path: "Tests/TokenClient",
            swiftSettings: strict
        ),
        // An app with a scheme of its own, as a desktop starts it.
        .executableTarget(
            name: "EnvironmentApp",
            dependencies: ["MSAL"],
            path: "Tests/Environments/App",
            swiftSettings: strict
        ),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "TestSupport", "TestWidth"], swiftSettings: strict),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "ClientTestSupport", "DBus", "MSAL", "MSALCore", "MSALBase", "SealedStore", "StoreWorker",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NativeAuthTests",
            dependencies: ["ClientTestSupport", "MSAL", "MSALCore", "MSALBase", "SealedStore", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALTests",
            dependencies: [
                "HTTPGuards",
                "MSAL",
                "MSALCore",
                "MSALBase",
                "SealedStore",
                "DBus",
                "ClientTestSupport",
                "TestSupport",
                "UserFiles",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                nioPosix,
                // Certificates around the keys of a provider, and of servers that are refused.
                .product(name: "X509", package: "swift-certificates", condition: emulator),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ] + http + crypto,
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALTestingTests",
            dependencies: ["MSAL", "MSALTesting", "TestWidth"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALServerTests",
            dependencies: [
                "MSALServer",
                "MSALStoreConformance",
                "SocketStore",
                "StoreServer",
                "MSALHummingbird",
                "MSALCore",
                "MSALBase",
                "TestSupport",
                "UserFiles",
                "EntraEmulator",
                "EntraEmulatorTesting",
                "ScriptedAgent",
                "SignInWebApp",
                .product(name: "Hummingbird", package: "hummingbird", condition: hummingbird),
                // An issuer of keys, over TLS.
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: hummingbird),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: hummingbird),
                // A logger that a test reads.
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Configuration", package: "swift-configuration", condition: configuration),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: metrics),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle", condition: lifecycle),
                // A client with a certificate.
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                nioSSL,
                .product(name: "X509", package: "swift-certificates", condition: emulator),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ] + nio + crypto,
            swiftSettings: strict
        ),
        .testTarget(
            name: "EntraEmulatorTests",
            dependencies: [
                "BrowserProfiles",
                "EntraEmulator",
                "HTTPGuards",
                "MSALBase",
                // Damaged input for the parsers.
                "TestSupport",
                // Connections whose time a test moves.
                .product(name: "NIOEmbedded", package: "swift-nio"),
                // An issuer whose responses are bytes that a test chooses.
                .product(name: "NIOPosix", package: "swift-nio"),
                // Data folders that are damaged, or of an older schema.
                .product(name: "GRDB", package: "GRDB.swift"),
                // Keys and certificates of confidential clients.
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates", condition: emulator),
            ] + http + crypto,
            swiftSettings: strict
        ),
        .testTarget(
            name: "EntraEmulatorTestingTests",
            dependencies: ["EntraEmulator", "EntraEmulatorTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EntraEmulatorBrokerTests",
            dependencies: [
                "DBus", "EntraEmulator", "EntraEmulatorBroker", "EntraEmulatorTesting", "MSALBase", "TestSupport",
                // Requests: those of a browser that shows the broker's cookie.
            ] + http,
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "MSAL", "MSALCore", "MSALServer", "MSALBase", "MSALTesting", "SealedStore", "EntraEmulator",
                "EntraEmulatorBroker",
                "EntraEmulatorTesting", "ScriptedAgent", "ClientTestSupport", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALCLITests",
            dependencies: [
                "ClientTestSupport", "CommandOutput", "MSALCLI", "MSALCore", "MSALServer", "MSALBase", "SealedStore",
                "TestSupport", "UserFiles",
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)

// MSAL itself is for Linux: its store, its keyring, its portal, its command. On macOS these are left out. What remains is for
// services and their tests. No other target may depend on one of these, except on Linux alone: scripts/check-structure.
let onlyForLinux: Set = [
    "MSAL", "MSALTesting", "SealedStore", "DBus", "MSALCLI", "msal", "Demo", "ClientTestSupport", "StoreWorker",
    "EnvironmentApp",
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
