// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hello",
    dependencies: [.package(name: "MSAL", path: "../msal-swift-linux", traits: [])],
    targets: [.executableTarget(name: "Hello", dependencies: [.product(name: "MSAL", package: "MSAL")])]
)
