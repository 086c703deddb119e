// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "GraphDaemon",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Your own package depends on it by URL: docs/services/README.md
        .package(name: "msal-swift-linux", path: "../.."),
        // Calls Graph; MSALServer depends on it anyway, so it adds nothing.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .executableTarget(
            name: "GraphDaemon",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
