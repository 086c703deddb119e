// Licensed under the MIT License. See LICENSE.

import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import MSALServer
import Orders
import TokenInterceptors

/// Adds up all orders as an application: no user signs in.
@main struct Main {
    static func main() async {
        do {
            try await report()
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            // The exit status shows the failure, too, if the message cannot be read.
            exit(1)
        }
    }

    private static func report() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let tenant = environment["REPORT_TENANT_ID"], let client = environment["REPORT_CLIENT_ID"],
            let secret = environment["REPORT_CLIENT_SECRET"], let orders = environment["ORDERS_CLIENT_ID"]
        else { throw RPCError(code: .invalidArgument, message: "A variable is missing: see README.md.") }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: client,
            authority: .tenant(tenant, host: environment["ORDERS_AUTHORITY_HOST"] ?? "login.microsoftonline.com"),
            credential: .secret(secret)
        )
        configuration.caFile = environment["ORDERS_CA_FILE"].map { URL(filePath: $0) }
        // One object for the life of the process, because its memory holds the tokens.
        let application = try MSALConfidentialClientApplication(configuration: configuration)

        let port = environment["ORDERS_PORT"].flatMap { Int($0) } ?? 8080
        try await withGRPCClient(
            transport: .http2NIOPosix(target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext),
            interceptors: [TokenClientInterceptor(application: application, scopes: ["api://\(orders)/.default"])]
        ) { client in
            let sum = try await client.serverStreaming(
                request: ClientRequest(message: Orders.Query()),
                descriptor: Orders.list,
                serializer: JSONMessage<Orders.Query>(),
                deserializer: JSONMessage<Orders.Order>(),
                options: .defaults
            ) { response in
                try await response.messages.reduce(into: (count: 0, amount: 0)) { sum, order in
                    sum.count += 1
                    sum.amount += order.amount
                }
            }
            print("\(sum.count) orders of \(sum.amount) together")
        }
    }
}
