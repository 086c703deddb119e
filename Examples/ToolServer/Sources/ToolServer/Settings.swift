// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALHummingbird
import MSALServer

/// The server's settings from the environment.
struct Settings: Sendable {
    struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "Set \(name): see README.md." }
    }

    let validator: MSALTokenValidatorConfiguration
    let resource: MSALProtectedResource
    let readScope: String
    let writeScope: String
    let port: Int
    /// The routes between clients and the authority.
    private(set) var adapter: MSALAuthorizationAdapter?
    /// The server's own application, which calls Microsoft Graph on behalf of users.
    private(set) var application: MSALConfidentialClientApplication?
    let graph: URL

    init(_ environment: [String: String]) throws {
        var variables = environment
        // With `entra-emulator run` no settings are needed: the to-do API of its directory stands for this server.
        let emulator = environment["MSAL_EMULATOR"].flatMap { URL(string: $0) }
        let isDemonstration = emulator != nil && environment["TOOLS_CLIENT_ID"] == nil
        if let emulator, isDemonstration {
            variables.merge(Self.demonstration(at: emulator, trusting: environment["MSAL_EMULATOR_CA"])) { own, _ in own }
        }
        func value(_ name: String) throws -> String {
            guard let value = variables[name], !value.isEmpty else { throw Missing(name: name) }
            return value
        }
        guard let address = URL(string: try value("TOOLS_ADDRESS")) else { throw Missing(name: "TOOLS_ADDRESS") }
        let host = variables["TOOLS_AUTHORITY_HOST"] ?? "login.microsoftonline.com"
        let authority = MSALServerAuthority.tenant(try value("TOOLS_TENANT_ID"), host: host)
        let clientID = try value("TOOLS_CLIENT_ID")
        let caFile = variables["TOOLS_CA_FILE"].map { URL(filePath: $0) }
        let adapterID = variables["TOOLS_ADAPTER_CLIENT_ID"]
        var validator = MSALTokenValidatorConfiguration(clientId: clientID, authority: authority)
        validator.caFile = caFile
        // Without the adapter, clients send the address as `resource`, which the service accepts as the App ID URI.
        validator.applicationIdUri =
            variables["TOOLS_APP_ID_URI"] ?? (adapterID == nil ? address.absoluteString : "api://\(clientID)")
        (readScope, writeScope) = isDemonstration ? ("ToDoList.Read", "ToDoList.ReadWrite") : ("Notes.Read", "Notes.Write")
        var resource = try MSALProtectedResource(
            resource: address,
            configuration: validator,
            scopes: [readScope, writeScope]
        )
        resource.name = "Notes"
        if let adapterID {
            var configuration = MSALConfidentialClientConfiguration(
                clientId: adapterID,
                authority: authority,
                credential: .secret(try value("TOOLS_ADAPTER_CLIENT_SECRET"))
            )
            configuration.caFile = caFile
            let client = try MSALConfidentialClientApplication(configuration: configuration)
            adapter = try MSALAuthorizationAdapter(
                client,
                protecting: resource,
                configuration: try Self.adapter(variables, caFile: caFile)
            )
            // The adapter and the server can be one registration, with one secret.
            if adapterID == clientID { self.application = client }
        }
        validator.resourceMetadata = resource.metadataURL
        self.validator = validator
        self.resource = resource
        guard let graph = URL(string: variables["TOOLS_GRAPH_URL"] ?? "https://graph.microsoft.com/v1.0") else {
            throw Missing(name: "TOOLS_GRAPH_URL")
        }
        self.graph = graph
        port = variables["TOOLS_PORT"].flatMap { Int($0) } ?? address.port ?? 8080
    }

    private static func adapter(
        _ variables: [String: String],
        caFile: URL?
    ) throws -> MSALAuthorizationAdapterConfiguration {
        let uris = variables["TOOLS_ADAPTER_REDIRECT_URIS"] ?? "http://localhost/callback http://127.0.0.1/"
        var configuration = MSALAuthorizationAdapterConfiguration(
            redirectUris: uris.split(separator: " ").map(String.init)
        )
        configuration.allowsRegistration = variables["TOOLS_ADAPTER_REGISTRATION"] == "true"
        if let secret = variables["TOOLS_ADAPTER_SEALING_KEY"] {
            guard let bytes = Data(base64Encoded: secret) else { throw Missing(name: "TOOLS_ADAPTER_SEALING_KEY") }
            configuration.sealingKeys = [try MSALSealingKey(id: 1, secret: bytes)]
        }
        if let host = variables["TOOLS_ADAPTER_DOCUMENT_HOST"]?.split(separator: "=").map(String.init), host.count == 2 {
            configuration.trustedDocumentHosts = [host[0]: MSALTrustedDocumentHost(address: host[1], caFile: caFile)]
        }
        return configuration
    }

    private static func demonstration(at emulator: URL, trusting caFile: String?) -> [String: String] {
        let host = "\(emulator.host() ?? "localhost"):\(emulator.port ?? 443)"
        let api = "00000000-0000-4000-8000-0000000000a1"
        var variables = [
            "TOOLS_TENANT_ID": "11111111-1111-1111-1111-111111111111", "TOOLS_CLIENT_ID": api,
            "TOOLS_ADDRESS": "http://localhost:8080/mcp", "TOOLS_AUTHORITY_HOST": host,
            "TOOLS_GRAPH_URL": "https://\(host)/v1.0", "TOOLS_ADAPTER_CLIENT_ID": api,
            "TOOLS_ADAPTER_CLIENT_SECRET": "Emulator-secret-1", "TOOLS_ADAPTER_REGISTRATION": "true",
        ]
        variables["TOOLS_CA_FILE"] = caFile
        return variables
    }
}
