// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

// A separate package, so that users of the library do not compile it. It sees only the library's products, as an app does.

// The driver of a store server, as in Examples/SignInWebApp, for the part `engine`.
let engine: [Package.Dependency]
let engineProducts: [Target.Dependency]
let engineSettings: [SwiftSetting]
switch Context.environment["SHARED_CACHE_DRIVER"] {
case "valkey":
    engine = [
        .package(name: "msal-valkey-store", path: "../Adapters/Valkey"),
        .package(url: "https://github.com/valkey-io/valkey-swift", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ]
    engineProducts = [
        .product(name: "MSALValkeyStore", package: "msal-valkey-store"),
        .product(name: "Valkey", package: "valkey-swift"),
        .product(name: "Logging", package: "swift-log"),
    ]
    engineSettings = [.define("VALKEY_STORE")]
case "postgres":
    engine = [
        .package(name: "msal-postgres-store", path: "../Adapters/Postgres"),
        .package(url: "https://github.com/vapor/postgres-nio", from: "1.33.1"),
    ]
    engineProducts = [
        .product(name: "MSALPostgresStore", package: "msal-postgres-store"),
        .product(name: "PostgresNIO", package: "postgres-nio"),
    ]
    engineSettings = [.define("POSTGRES_STORE")]
default:
    engine = []
    engineProducts = []
    engineSettings = []
}

// The library without the traits `Metrics` and `Tracing`, for the part `traits`.
let library: Package.Dependency
let librarySettings: [SwiftSetting]
if Context.environment["BENCHMARK_WITHOUT_OBSERVATION"] == nil {
    library = .package(name: "msal-swift-linux", path: "..")
    librarySettings = []
} else {
    library = .package(
        name: "msal-swift-linux",
        path: "..",
        traits: ["Emulator", "Command", "Configuration", "ServiceLifecycle", "Hummingbird"]
    )
    librarySettings = [.define("WITHOUT_OBSERVATION")]
}

let package = Package(
    name: "Benchmarks",
    dependencies: [
        library,
        // The limits of the machine: opening a sealed value, looking up a row. The library depends on both.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Verifies tokens, for comparison.
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        // Counts cached tokens, for comparison with a cache without metrics.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // The server of an API.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ] + engine,
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "MSAL", package: "msal-swift-linux"),
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "MSALHummingbird", package: "msal-swift-linux"),
                // The shared store in this process.
                .product(name: "MSALStoreConformance", package: "msal-swift-linux"),
                "CountedAllocations",
                .product(name: "Crypto", package: "swift-crypto"),
                // The emulator signs with it.
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ] + engineProducts,
            swiftSettings: engineSettings + librarySettings
        ),
        // Replaces the allocator's functions, and counts their calls.
        .target(name: "CountedAllocations"),
    ],
    swiftLanguageModes: [.v6]
)
