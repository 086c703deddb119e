// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

/// The metadata of an API for clients that find its authority by them, such as clients of the Model Context Protocol
/// (RFC 9728).
///
/// Microsoft Entra ID registers no client by itself, so that a client needs a registration beforehand. It takes scopes in
/// their full form only, such as `api://<client id>/Orders.Read`, and refuses a `resource` that does not fit them
/// (AADSTS9010010). Clients send the address of the API as `resource`, so give the registration this address as its App ID
/// URI, and the settings as ``MSALTokenValidatorConfiguration/applicationIdUri``.
public struct MSALProtectedResource: Sendable {
    /// The identifier of the API, an https address.
    public let resource: URL
    /// The authorities whose tokens the API takes, as OpenID Connect Discovery knows them.
    public let authorizationServers: [URL]
    /// The scopes in the form in which a client asks for them.
    public let scopes: [String]
    /// The name of the API for people.
    public var name: String?
    /// The address of the API's documentation.
    public var documentation: URL?

    /// The metadata of an API.
    ///
    /// - Parameters:
    ///   - resource: The address of the API. A client compares it with the one that it called.
    ///   - configuration: The settings of the API, which name the authority and the App ID URI.
    ///   - scopes: The API's scopes, in short (`Orders.Read`) or in full.
    /// - Throws: `.configuration` if the address has a query or a fragment, or is not https (RFC 9728 §1.2); http serves this
    ///   machine alone.
    public init(
        resource: URL,
        configuration: MSALTokenValidatorConfiguration,
        scopes: [String]
    ) throws(MSALTokenError) {
        guard HTTPAddress(resource.absoluteString) != nil, resource.query() == nil, resource.fragment() == nil else {
            throw MSALTokenError(
                .configuration,
                message: "The address of a protected resource must be https, without a query and a fragment."
            )
        }
        let authority = try configuration.authority.authority()
        self.resource = resource
        authorizationServers = [authority.appending(authority.kind == .adfs ? "" : "v2.0")]
        let uri = configuration.applicationIdUri ?? "api://\(configuration.clientId)"
        let base = uri.hasSuffix("/") ? uri : "\(uri)/"
        self.scopes = scopes.map { $0.contains("://") ? $0 : base + $0 }
    }

    /// The path at which the metadata are served: `/.well-known/oauth-protected-resource` before the path of the resource
    /// (RFC 9728 §3.1).
    public var metadataPath: String {
        let path = resource.path(percentEncoded: true)
        return "/.well-known/oauth-protected-resource" + (path == "/" ? "" : path)
    }

    /// The address of the metadata, for ``MSALTokenValidatorConfiguration/resourceMetadata``.
    public var metadataURL: URL {
        var parts = URLComponents(url: resource, resolvingAgainstBaseURL: true) ?? URLComponents()
        parts.percentEncodedPath = metadataPath
        return parts.url ?? resource
    }

    /// The document, JSON in UTF-8. Serve it as `application/json` to everybody, without a token.
    public var document: Data {
        var members: [String: JSONValue] = [
            "resource": .string(resource.absoluteString),
            "authorization_servers": .array(authorizationServers.map { .string($0.absoluteString) }),
            "scopes_supported": .array(scopes.map(JSONValue.string)),
            "bearer_methods_supported": .array([.string("header")]),
        ]
        members["resource_name"] = name.map(JSONValue.string)
        members["resource_documentation"] = documentation.map { .string($0.absoluteString) }
        return Data(JSONValue.object(members).text.utf8)
    }
}
