// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "NewApp",
    dependencies: [.package(name: "MSAL", path: "../..", traits: [])],
    targets: [.executableTarget(name: "NewApp", dependencies: [.product(name: "MSAL", package: "MSAL")])],
    swiftLanguageModes: [.v6]
)
