// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "StockAPI",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Your own package depends on it by URL: docs/services/ProtectAnAPI.md
        .package(name: "msal-swift-linux", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "StockAPI",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "MSALHummingbird", package: "msal-swift-linux"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
