// swift-tools-version: 6.2
// Licensed under the MIT License. See LICENSE.
import PackageDescription

let package = Package(
    name: "OrdersGRPC",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Your own package depends on it by URL: docs/services/GRPC.md
        .package(name: "msal-swift-linux", path: "../..", traits: []),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
    ],
    targets: [
        // The two interceptors, for your own service.
        .target(
            name: "TokenInterceptors",
            dependencies: [
                .product(name: "MSALServer", package: "msal-swift-linux"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
            ]
        ),
        // The service, and the types that both sides share.
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
        // A client that calls as itself.
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
