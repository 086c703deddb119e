// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore

/// The request for a token at one host, checked before anything is sent
/// (docs/reference/Services.md#managed-identity-requests).
package struct ManagedIdentityRequest: Sendable {
    package let host: any ManagedIdentityHost
    package let identity: MSALManagedIdentityId
    package let resource: String
    package let correlationID: UUID
    package let message: HTTPMessage
    /// The secrets in the message, which no text may show.
    let secrets: [Secret]
    /// The certificate of the server, where the host names one.
    let thumbprint: CertificateThumbprint?

    /// A request. Only hosts that take `capabilities` and the `revoked` token get them.
    ///
    /// - Throws: `.configuration` if a variable is malformed or missing; `.userAssignedNotSupported` if the host takes no id
    ///   of that form.
    package init(
        to host: any ManagedIdentityHost,
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
        let url = try host.endpoint(in: environment)
        var draft = ManagedIdentityRequestBuilder(
            identity: identity,
            capabilities: capabilities,
            revoked: revoked,
            correlationID: correlationID,
            environment: environment
        )
        draft.form.set("api-version", to: host.apiVersion(for: identity))
        draft.form.set("resource", to: resource)
        if let value = identity.value { draft.form.set(try Self.parameter(of: identity, at: host), to: value) }
        try host.complete(&draft)
        secrets = draft.secrets + [revoked].compactMap(\.self)
        thumbprint = draft.thumbprint
        var message: HTTPMessage
        if draft.isPost {
            draft.headers["Content-Type"] = "application/x-www-form-urlencoded"
            let address = try Self.address(url)
            message = HTTPMessage(method: "POST", to: address, headers: draft.headers, body: draft.form.data)
        } else {
            let address = try Self.address(draft.form.appended(to: url))
            message = HTTPMessage(method: "GET", to: address, headers: draft.headers)
        }
        message.maximumResponseBytes = 262_144
        self.message = message
    }

    private static func address(_ url: URL) throws(MSALTokenError) -> HTTPAddress {
        do {
            return try HTTPAddress(built: url)
        } catch {
            throw MSALTokenError(.configuration, message: "\(error.message) No request was sent.")
        }
    }

    /// The parameter that names an identity.
    private static func parameter(
        of identity: MSALManagedIdentityId,
        at host: any ManagedIdentityHost
    ) throws(MSALTokenError) -> String {
        guard identity.value?.allSatisfy(\.isWhitespace) == false else {
            throw MSALTokenError(
                .configuration,
                message: "The ID of the managed identity is blank. Give the ID, or take the system-assigned identity."
            )
        }
        guard let name = host.parameter(for: identity) else {
            throw MSALTokenError(
                .userAssignedNotSupported,
                message: "\(host.words) does not support \(identity.words). \(host.takenIDs) No request was sent."
            )
        }
        return name
    }
}
