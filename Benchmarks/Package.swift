// swift-tools-version: 6.1
// Licensed under the MIT License. See LICENSE.
import Foundation
import PackageDescription

// The benchmarks seed a store with thousands of records, which no public call does. They therefore join the access
// scope of the package they measure: SwiftPM names it after the folder.
let project = URL(filePath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent.lowercased()
let scope = String(project.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "MSAL", path: "..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [.product(name: "MSAL", package: "MSAL")],
            swiftSettings: [.unsafeFlags(["-package-name", scope])]
        )
    ],
    swiftLanguageModes: [.v6]
)
