// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "test-engines",
    platforms: [.macOS(.v15)],
    products: [.library(name: "TestEngines", targets: ["TestEngines"])],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
    targets: [
        // Servers that the adapters' tests start, pause and kill.
        .target(
            name: "TestEngines",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
