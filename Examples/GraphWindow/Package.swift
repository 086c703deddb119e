// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "GraphWindow",
    dependencies: [
        // In your own app: .package(url: "…/msal-swift-linux", from: "…")
        .package(name: "msal-swift-linux", path: "../..")
    ],
    targets: [
        // GTK 4 and libadwaita of the system: apt-get install libgtk-4-dev libadwaita-1-dev
        .systemLibrary(
            name: "CGtk",
            pkgConfig: "libadwaita-1",
            providers: [.apt(["libgtk-4-dev", "libadwaita-1-dev"])]
        ),
        .executableTarget(
            name: "GraphWindow",
            dependencies: ["CGtk", .product(name: "MSAL", package: "msal-swift-linux")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
