// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

/// The metadata with which clients discover an API's authority, such as clients of the Model Context Protocol (RFC
/// 9728).
///
/// Microsoft Entra ID does not support dynamic client registration, so each client must be registered beforehand. It
/// accepts scopes only in their full form, such as `api://<client ID>/Orders.Read`, and rejects a `resource` that does
/// not match them (AADSTS9010010). Clients send the URL of the API as `resource`, so set this URL as the App ID URI of
/// the registration, and as ``MSALTokenValidatorConfiguration/applicationIdUri``.
public struct MSALProtectedResource: Sendable {
    /// The identifier of the API, an https URL.
    public let resource: URL
    /// The issuers whose tokens the API accepts, by their issuer identifiers of OpenID Connect Discovery.
    public package(set) var authorizationServers: [URL]
    /// The scopes in the form in which a client requests them.
    public let scopes: [String]
    /// The human-readable name of the API.
    public var name: String?
    /// The URL of the API's documentation.
    public var documentation: URL?

    /// Creates the metadata of an API.
    ///
    /// - Parameters:
    ///   - resource: The URL of the API. A client compares it with the URL that it called.
    ///   - configuration: The settings of the API, which name the authority and the App ID URI.
    ///   - scopes: The API's scopes, in short (`Orders.Read`) or full form.
    ///   - issuer: The issuer of the API's tokens, as in `<issuer>/.well-known/openid-configuration`. It is required if
    ///     the settings do not name the tenant by id, or use a custom domain or a B2C policy as the authority.
    /// - Throws: `.configuration` if a URL has a query or a fragment, or is not https (RFC 9728 §1.2; http is allowed
    ///   on this machine); or if the settings do not determine the issuer. The message contains the authority to use
    ///   instead.
    public init(
        resource: URL,
        configuration: MSALTokenValidatorConfiguration,
        scopes: [String],
        issuer: URL? = nil
    ) throws(MSALTokenError) {
        for address in [resource, issuer].compactMap(\.self) {
            guard HTTPAddress(address.absoluteString) != nil, address.query() == nil, address.fragment() == nil else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "The addresses of a protected resource and of an issuer must be https, without a query and a "
                        + "fragment."
                )
            }
        }
        self.resource = resource
        authorizationServers = if let issuer { [issuer] } else { try Self.issuers(of: configuration) }
        let uri = configuration.applicationIdUri ?? "api://\(configuration.clientId)"
        let base = uri.hasSuffix("/") ? uri : "\(uri)/"
        self.scopes = scopes.map { $0.contains("://") ? $0 : base + $0 }
    }

    /// The issuers that the settings name. Only an issuer by the tenant's ID is found at its own address.
    private static func issuers(of configuration: MSALTokenValidatorConfiguration) throws(MSALTokenError) -> [URL] {
        let authority = try configuration.authority.authority()
        var tenants = [authority.tenant ?? ""]
        if authority.tenantKind == .consumers { tenants = [Authority.personalTenantID] }
        if authority.tenantKind != .identifier, case .list(let ids) = configuration.tenants { tenants = Array(ids) }
        let issuers: [String]?
        let remedy: String
        switch authority.kind {
        case .aad:
            let host = KnownClouds.metadata(for: authority.environment)?.networkHost
            issuers = (host ?? (authority.isLoopback ? authority.environment : nil)).map { host in
                tenants.map { "https://\(host)/\($0.lowercased())/v2.0" }
            }
            remedy =
                issuers == nil
                ? "https://<name>.ciamlogin.com/<tenant ID>" : "https://\(authority.environment)/<tenant ID>"
        case .ciam:
            issuers = tenants.map { "https://\($0.lowercased()).ciamlogin.com/\($0.lowercased())/v2.0" }
            remedy = "https://\(authority.environment)/<tenant ID>"
        case .b2c:
            issuers = nil
            remedy =
                "https://\(authority.environment)/tfp/<tenant ID>/<policy>/v2.0/ as the issuer, if the policy has it"
        case .adfs, .oidc:
            return [authority.url]
        }
        let urls = issuers?.sorted().compactMap(URL.init(string:)) ?? []
        guard !urls.isEmpty, authority.kind == .b2c || tenants.allSatisfy(\.isTenantID) else {
            throw MSALTokenError(
                .configuration,
                message: "Clients cannot discover the issuer from \(authority). Use \(remedy), or pass the issuer."
            )
        }
        return urls
    }

    /// The path at which to serve the metadata: `/.well-known/oauth-protected-resource` before the path of the resource
    /// (RFC 9728 §3.1).
    public var metadataPath: String {
        let path = resource.path(percentEncoded: true)
        return "/.well-known/oauth-protected-resource" + (path == "/" ? "" : path)
    }

    /// The URL of the metadata, for ``MSALTokenValidatorConfiguration/resourceMetadata``.
    public var metadataURL: URL {
        var parts = URLComponents(url: resource, resolvingAgainstBaseURL: true) ?? URLComponents()
        parts.percentEncodedPath = metadataPath
        return parts.url ?? resource
    }

    /// The metadata as JSON in UTF-8. Serve it as `application/json` to any client, without a token.
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
