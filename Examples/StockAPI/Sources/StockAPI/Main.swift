// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALHummingbird
import MSALServer

/// An API that returns the stock, for users and for applications.
@main struct Main {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Missing(name: name) }
            return value
        }
        let host = environment["STOCK_AUTHORITY_HOST"] ?? "login.microsoftonline.com"
        var configuration = MSALTokenValidatorConfiguration(
            clientId: try value("STOCK_CLIENT_ID"),
            authority: .tenant(try value("STOCK_TENANT_ID"), host: host)
        )
        configuration.caFile = environment["STOCK_CA_FILE"].map { URL(filePath: $0) }
        let port = environment["STOCK_PORT"].flatMap { Int($0) } ?? 8081
        let application = Application(
            router: router(try MSALTokenValidator(configuration)),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        )
        try await application.runService()
    }

    static func router(_ validator: MSALTokenValidator) -> Router<MSALAPIContext> {
        let router = Router(context: MSALAPIContext.self)
        router.get("health") { _, _ in HTTPResponse.Status.ok }
        router.group("items").add(middleware: MSALAuthenticator(validator))
            .requires(.any(.scope("Stock.Read"), .applicationRole("Stock.Read.All")))
            .get { _, context in Shelf(for: context.identity) }
        return router
    }
}

/// The stock, and the caller.
struct Shelf: ResponseEncodable, Sendable {
    let user: String?
    let client: String
    var items = ["Bolts": 1200, "Nuts": 800]

    init(for caller: MSALPrincipal?) {
        user = caller?.kind == .user ? caller?.objectId : nil
        client = caller?.client ?? ""
    }
}

struct Missing: LocalizedError {
    let name: String
    var errorDescription: String? { "Set \(name): see README.md." }
}
