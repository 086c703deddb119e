// Licensed under the MIT License. See LICENSE.

import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import MSALServer
import Orders
import TokenInterceptors

/// A service with orders: users read theirs, applications read all, and a large order requires another sign-in.
@main struct Main {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let tenant = environment["ORDERS_TENANT_ID"], let client = environment["ORDERS_CLIENT_ID"] else {
            try FileHandle.standardError.write(
                contentsOf: Data("Set ORDERS_TENANT_ID and ORDERS_CLIENT_ID: see README.md.\n".utf8)
            )
            exit(1)
        }
        var configuration = MSALTokenValidatorConfiguration(
            clientId: client,
            authority: .tenant(tenant, host: environment["ORDERS_AUTHORITY_HOST"] ?? "login.microsoftonline.com")
        )
        configuration.caFile = environment["ORDERS_CA_FILE"].map { URL(filePath: $0) }
        let validator = try MSALTokenValidator(configuration)
        // The service is ready when it can validate tokens.
        try await validator.prepare()

        let port = environment["ORDERS_PORT"].flatMap { Int($0) } ?? 8080
        let server = GRPCServer(
            // Plain text, only on this machine. A service on a network uses `.tls(…)`.
            transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: port), transportSecurity: .plaintext),
            services: [OrdersService()],
            interceptors: [TokenServerInterceptor(validator, requirements: OrdersService.requirements)]
        )
        try await withThrowingTaskGroup { group in
            group.addTask { await validator.run() }
            try await server.serve()
            group.cancelAll()
        }
    }
}
