// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "OrdersGRPC",
    platforms: [.macOS(.v15)],
    dependencies: [
        // A package of your own depends on it by URL: docs/services/GRPC.md
        .package(name: "msal-swift-linux", path: "../..", traits: []),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
    ],
    targets: [
        // The two interceptors, for a service of your own.
        .target(
            name: "TokenInterceptors",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
            ]
        ),
        // The service, and what both sides know of it.
        .target(name: "Orders", dependencies: [.product(name: "GRPCCore", package: "grpc-swift-2")]),
        .executableTarget(
            name: "OrdersGRPC",
            dependencies: [
                "Orders", "TokenInterceptors",
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ]
        ),
        // A client in its own name.
        .executableTarget(
            name: "OrdersReport",
            dependencies: [
                "Orders", "TokenInterceptors",
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
