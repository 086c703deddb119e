// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The API's settings from the environment.
struct Settings {
    struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "Set \(name): see README.md." }
    }

    let validator: MSALTokenValidatorConfiguration
    /// `nil` without the stock API.
    let stock: Stock?
    let port: Int

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Missing(name: name) }
            return value
        }
        var validator = MSALTokenValidatorConfiguration(
            clientId: try value("ORDERS_CLIENT_ID"),
            authority: .tenant(try value("ORDERS_TENANT_ID"), host: environment["ORDERS_AUTHORITY_HOST"] ?? "login.microsoftonline.com")
        )
        validator.caFile = environment["ORDERS_CA_FILE"].map { URL(filePath: $0) }
        self.validator = validator
        if let address = environment["STOCK_URL"].flatMap(URL.init(string:)) {
            var configuration = MSALConfidentialClientConfiguration(
                clientId: validator.clientId,
                authority: validator.authority,
                credential: .secret(try value("ORDERS_CLIENT_SECRET"))
            )
            configuration.caFile = validator.caFile
            // The service's additional requirements on a user are returned as claims.
            configuration.capabilities = ["cp1"]
            stock = Stock(
                application: try MSALConfidentialClientApplication(configuration: configuration),
                baseURL: address,
                resource: try value("STOCK_RESOURCE")
            )
        } else {
            stock = nil
        }
        port = environment["ORDERS_PORT"].flatMap { Int($0) } ?? 8080
    }
}
