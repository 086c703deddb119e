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
    name: "msal-valkey-store",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MSALValkeyStore", targets: ["MSALValkeyStore"])
    ],
    dependencies: [
        .package(name: "msal-swift-linux", path: "../..", traits: []),
        // The driver. Its traits are left out: an application that wants them asks for them in its own manifest.
        .package(url: "https://github.com/valkey-io/valkey-swift", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // For the tests. A release leaves them out, from this line on (Packaging/adapters).
        .package(path: "../TestEngines"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(
            name: "MSALValkeyStore",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "Valkey", package: "valkey-swift"),
                // Answers of the server are buffers of bytes.
                .product(name: "NIOCore", package: "swift-nio"),
                // The digest by which the server knows a script.
                .product(name: "Crypto", package: "swift-crypto"),
                // The driver reports why it cannot connect to its logger.
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MSALValkeyStoreTests",
            dependencies: [
                "MSALValkeyStore",
                .product(name: "TestEngines", package: "TestEngines"),
                .product(name: "MSALStoreConformance", package: "msal-swift-linux"),
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "Valkey", package: "valkey-swift"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
