// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "msal-postgres-store",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MSALPostgresStore", targets: ["MSALPostgresStore"])
    ],
    dependencies: [
        .package(name: "msal-swift-linux", path: "../..", traits: []),
        // The driver.
        .package(url: "https://github.com/vapor/postgres-nio", from: "1.33.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For the tests. A release omits them, from this line on (Packaging/adapters).
        .package(path: "../TestEngines"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(
            name: "MSALPostgresStore",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "PostgresNIO", package: "postgres-nio"),
                // Values are byte buffers.
                .product(name: "NIOCore", package: "swift-nio"),
                // The driver requires a logger for each statement.
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALPostgresStoreTests",
            dependencies: [
                "MSALPostgresStore",
                .product(name: "TestEngines", package: "TestEngines"),
                .product(name: "MSALStoreConformance", package: "msal-swift-linux"),
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "PostgresNIO", package: "postgres-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
