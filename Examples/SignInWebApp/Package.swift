// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

// Several instances share a store: `SHARED_CACHE_DRIVER=valkey swift run`, or `postgres`. Your own application simply
// depends on the driver that it uses. Here the driver is only fetched on request.
let sharedCache: [Package.Dependency]
let sharedCacheProducts: [Target.Dependency]
let sharedCacheSettings: [SwiftSetting]
switch Context.environment["SHARED_CACHE_DRIVER"] {
case "valkey":
    sharedCache = [
        .package(name: "msal-valkey-store", path: "../../Adapters/Valkey"),
        .package(url: "https://github.com/valkey-io/valkey-swift", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ]
    sharedCacheProducts = [
        .product(name: "MSALValkeyStore", package: "msal-valkey-store"),
        .product(name: "Valkey", package: "valkey-swift"),
        .product(name: "Logging", package: "swift-log"),
    ]
    sharedCacheSettings = [.define("VALKEY_STORE")]
case "postgres":
    sharedCache = [
        .package(name: "msal-postgres-store", path: "../../Adapters/Postgres"),
        .package(url: "https://github.com/vapor/postgres-nio", from: "1.33.1"),
    ]
    sharedCacheProducts = [
        .product(name: "MSALPostgresStore", package: "msal-postgres-store"),
        .product(name: "PostgresNIO", package: "postgres-nio"),
    ]
    sharedCacheSettings = [.define("POSTGRES_STORE")]
default:
    sharedCache = []
    sharedCacheProducts = []
    sharedCacheSettings = []
}

let package = Package(
    name: "SignInWebApp",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Your own package depends on it by URL: docs/services/README.md
        .package(name: "msal-swift-linux", path: "../.."),
        // The web server. MSALServer works with any other, too.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ] + sharedCache,
    targets: [
        .executableTarget(
            name: "SignInWebApp",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "MSALHummingbird", package: "msal-swift-linux"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + sharedCacheProducts,
            swiftSettings: sharedCacheSettings
        )
    ],
    swiftLanguageModes: [.v6]
)
