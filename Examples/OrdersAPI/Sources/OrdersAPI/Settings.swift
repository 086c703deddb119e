// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// What the environment says of the API.
struct Settings {
    struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "Set \(name): see README.md." }
    }

    let validator: MSALTokenValidatorConfiguration
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
        port = environment["ORDERS_PORT"].flatMap { Int($0) } ?? 8080
    }
}
