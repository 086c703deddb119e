// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

// A package of its own, so that nobody who uses the library compiles it. It measures parts that are not public: build
// it with `-Xswiftc -enable-testing`, as scripts/benchmark does, so that `@testable import` sees them.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "msal-swift-linux", path: "..")],
    targets: [
        .executableTarget(name: "Benchmarks", dependencies: [.product(name: "MSAL", package: "msal-swift-linux")])
    ],
    swiftLanguageModes: [.v6]
)
