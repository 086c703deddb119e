// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation
package import MSALCore
package import MSALSupport

/// The request for a token at one host, checked before anything is sent
/// (docs/reference/Services.md#managed-identity-requests).
package struct ManagedIdentityRequest: Sendable {
    package let host: ManagedIdentityHost
    package let identity: MSALManagedIdentityId
    package let resource: String
    package let correlationID: UUID
    package let message: HTTPMessage
    /// The secrets in the message, which no text may show.
    let secrets: [Secret]
    /// The certificate of the server, where the host names one.
    let thumbprint: CertificateThumbprint?

    /// A request. `capabilities` and the `revoked` token are told to hosts that take them.
    ///
    /// - Throws: `.configuration` if a variable is malformed or missing; `.userAssignedNotSupported` if the host takes no id
    ///   of that form.
    package init(
        to host: ManagedIdentityHost,
        identity: MSALManagedIdentityId,
        resource: String,
        capabilities: [String] = [],
        revoked: Secret? = nil,
        correlationID: UUID,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        self.host = host
        self.identity = identity
        self.resource = resource
        self.correlationID = correlationID
        let url = try ManagedIdentityEndpoint.url(of: host, in: environment)
        var form = FormBody()
        form.set("api-version", to: host.apiVersion(for: identity))
        form.set("resource", to: resource)
        if let id = try Self.id(of: identity, at: host, in: environment) { form.set(id.name, to: id.value) }
        var headers: [String: String] = [:]
        var secrets: [Secret] = []
        func add(secret variable: String, as name: String) {
            guard let value = environment.variable(variable) else { return }
            headers[name] = value
            secrets.append(Secret(value))
        }
        switch host {
        case .imds:
            headers["Metadata"] = "true"
            headers["x-ms-client-request-id"] = correlationID.uuidString.lowercased()
        case .azureArc, .cloudShell: headers["Metadata"] = "true"
        case .appService: add(secret: "IDENTITY_HEADER", as: "X-IDENTITY-HEADER")
        case .machineLearning: add(secret: "MSI_SECRET", as: "secret")
        case .serviceFabric:
            add(secret: "IDENTITY_HEADER", as: "Secret")
            if !capabilities.isEmpty { form.set("xms_cc", to: capabilities.joined(separator: ",")) }
            form.set("token_sha256_to_refresh", to: revoked.map(Self.hash))
        }
        if let revoked { secrets.append(revoked) }
        var message: HTTPMessage
        if host == .cloudShell {
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            message = HTTPMessage(method: "POST", to: try Self.address(url), headers: headers, body: form.data)
        } else {
            message = HTTPMessage(method: "GET", to: try Self.address(form.appended(to: url)), headers: headers)
        }
        message.maximumResponseBytes = 262_144
        self.message = message
        self.secrets = secrets
        thumbprint = host == .serviceFabric ? try Self.thumbprint(in: environment) : nil
    }

    private static func address(_ url: URL) throws(MSALTokenError) -> HTTPAddress {
        do {
            return try HTTPAddress(built: url)
        } catch {
            throw MSALTokenError(.configuration, message: "\(error.message) No request was sent.")
        }
    }

    private static func id(
        of identity: MSALManagedIdentityId,
        at host: ManagedIdentityHost,
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> (name: String, value: String)? {
        guard let value = identity.value else {
            guard host == .machineLearning else { return nil }
            // The host has no system-assigned identity for programs. It names one that serves in its place.
            guard let standard = environment.variable("DEFAULT_IDENTITY_CLIENT_ID") else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "Azure Machine Learning names its own identity in the variable DEFAULT_IDENTITY_CLIENT_ID, "
                        + "which is not set. Give the client id of an identity."
                )
            }
            return ("clientid", standard)
        }
        guard !value.allSatisfy(\.isWhitespace) else {
            throw MSALTokenError(
                .configuration,
                message: "The id of the managed identity is blank. Give the id, or take the system-assigned identity."
            )
        }
        guard let name = host.parameter(for: identity) else {
            throw MSALTokenError(
                .userAssignedNotSupported,
                message: "\(host.words) cannot be asked for \(identity.words). \(host.takenIDs) No request was sent."
            )
        }
        return (name, value)
    }

    private static func thumbprint(
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> CertificateThumbprint {
        let variable = "IDENTITY_SERVER_THUMBPRINT"
        guard let thumbprint = environment.variable(variable).flatMap(CertificateThumbprint.init) else {
            throw MSALTokenError(
                .configuration,
                message: "The variable \(variable) is no SHA-1 hash of 40 hexadecimal digits. No request was sent."
            )
        }
        return thumbprint
    }

    private static func hash(of token: Secret) -> String {
        SHA256.hash(data: Data(token.exposed.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
