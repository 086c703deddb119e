// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The server's settings from the environment.
struct Settings {
    struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "Set \(name): see README.md." }
    }

    let validator: MSALTokenValidatorConfiguration
    let resource: MSALProtectedResource
    let port: Int

    init(_ environment: [String: String]) throws {
        func value(_ name: String) throws -> String {
            guard let value = environment[name], !value.isEmpty else { throw Missing(name: name) }
            return value
        }
        guard let address = URL(string: try value("TOOLS_ADDRESS")) else { throw Missing(name: "TOOLS_ADDRESS") }
        let host = environment["TOOLS_AUTHORITY_HOST"] ?? "login.microsoftonline.com"
        var validator = MSALTokenValidatorConfiguration(
            clientId: try value("TOOLS_CLIENT_ID"),
            authority: .tenant(try value("TOOLS_TENANT_ID"), host: host)
        )
        validator.caFile = environment["TOOLS_CA_FILE"].map { URL(filePath: $0) }
        // Clients send the address as `resource`. The service accepts it if it is the App ID URI, too.
        validator.applicationIdUri = environment["TOOLS_APP_ID_URI"] ?? address.absoluteString
        var resource = try MSALProtectedResource(
            resource: address,
            configuration: validator,
            scopes: ["Notes.Read", "Notes.Write"]
        )
        resource.name = "Notes"
        validator.resourceMetadata = resource.metadataURL
        self.validator = validator
        self.resource = resource
        port = environment["TOOLS_PORT"].flatMap { Int($0) } ?? address.port ?? 8080
    }
}
