// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
public import Hummingbird
import MSALBase
import MSALCore
public import MSALServer
import NIOCore

/// An OAuth 2.1 authorization server for the clients of an MCP server, which passes their requests on to Microsoft Entra ID.
///
/// Entra remains the only issuer of tokens. The adapter is for clients that Entra does not support as they are: those that
/// identify themselves by a document or a registration, send the server's address as `resource`, refuse metadata without PKCE
/// methods, or refresh without scopes. Nothing is stored. What browsers and clients keep is encrypted.
///
/// ```swift
/// func serve(_ resource: MSALProtectedResource, on router: Router<MSALAPIContext>) throws {
///     let clients = MSALAuthorizationAdapterConfiguration(redirectUris: ["http://localhost/callback"])
///     router.serve(try MSALAuthorizationAdapter(application, protecting: resource, configuration: clients))
/// }
/// ```
///
/// Register ``redirectUri`` as the only redirect URI of the application. The page "MCP server" describes the registration,
/// and "Security" what the adapter does not protect against.
public struct MSALAuthorizationAdapter: Sendable {
    /// The issuer: the origin of the server, without a slash at the end.
    public let issuer: String

    /// The adapter's own redirect URI, to which Entra sends browsers.
    public let redirectUri: String

    /// The metadata of the server, which name the adapter as the authorization server.
    public let resource: MSALProtectedResource

    let application: MSALConfidentialClientApplication
    let rules: AuthorizationRules
    let sealer: TextSealer
    let clients: DocumentedClients
    let redirects: RedirectAllowList
    let allowsRegistration: Bool
    /// Whether cookies have the prefix that binds them to this host and to TLS (RFC 6265bis §4.1.3.2).
    let isSecure: Bool

    /// Creates an adapter. No request is sent.
    ///
    /// - Parameters:
    ///   - application: The registration of the adapter at Entra, with its credential.
    ///   - resource: The metadata of the MCP server. Its authorization servers are replaced by the adapter.
    ///   - configuration: The settings.
    /// - Throws: `.configuration` if the address of the server is neither https nor on this machine, if a redirect URI is
    ///   neither, or has a fragment or a wildcard, and if there is no sealing key although the address is not on this machine.
    ///   The message says which.
    public init(
        _ application: MSALConfidentialClientApplication,
        protecting resource: MSALProtectedResource,
        configuration: MSALAuthorizationAdapterConfiguration
    ) throws(MSALTokenError) {
        func fault(_ text: String) -> MSALTokenError { MSALTokenError(kind: .configuration, message: text) }
        let host = (resource.resource.host() ?? "").trimmingCharacters(in: ["[", "]"])
        isSecure = resource.resource.scheme?.lowercased() == "https"
        guard let origin = HTTPAddress(resource.resource.absoluteString)?.origin, let issuer = URL(string: origin),
            isSecure || LoopbackAddress.contains(host)
        else { throw fault("The address of the server must be https, or http on this machine.") }
        if let wrong = configuration.redirectUris.first(where: { !RedirectAllowList.isPossible($0) }) {
            throw fault(
                "The redirect URI \"\(wrong.visibleLine)\" must be https, or http on localhost, 127.0.0.1, or [::1], without a "
                    + "fragment or a wildcard."
            )
        }
        let environment = application.environment
        var keys = configuration.sealingKeys
        if keys.isEmpty {
            guard LoopbackAddress.contains(host) else {
                throw fault(
                    "Set a sealing key, and give the same one to all instances. `openssl rand 32` makes a secret."
                )
            }
            keys = [try MSALSealingKey(id: 0, secret: environment.random(32))]
        }
        self.application = application
        self.issuer = origin
        redirectUri = "\(origin)/oauth/callback"
        var resource = resource
        resource.authorizationServers = [issuer]
        self.resource = resource
        rules = AuthorizationRules(resource)
        let clientID = application.configuration.clientId
        sealer = TextSealer(keys: keys, service: origin, clientID: clientID, random: environment.random)
        let fetcher = ClientDocumentFetcher(trustedHosts: configuration.trustedDocumentHosts, time: environment.time)
        let fetch = configuration.fetchDocument ?? { try await fetcher.document(at: $0) }
        clients = DocumentedClients(time: environment.time, fetch: fetch)
        redirects = RedirectAllowList(configuration.redirectUris)
        allowsRegistration = configuration.allowsRegistration
    }

    var now: Int64 { application.environment.time.wholeSeconds }

    /// The seconds for which a user's decision, a sign-in, and a code are valid.
    static let lifetime: Int64 = 600

    /// Whether a step that began at this time, by the clock of any instance, may still be completed.
    func isFresh(_ begun: Int64) -> Bool {
        (-MSALConfidentialClientApplication.clockDifference...Self.lifetime).contains(now - begun)
    }

    /// The metadata of the authorization server (RFC 8414 §2).
    var metadata: JSONValue {
        var texts = [
            "issuer": issuer, "authorization_endpoint": "\(issuer)/oauth/authorize",
            "token_endpoint": "\(issuer)/oauth/token",
        ]
        if allowsRegistration { texts["registration_endpoint"] = "\(issuer)/oauth/register" }
        let lists = [
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "scopes_supported": rules.scopes + [AuthorizationRules.offlineAccess],
        ]
        let flags = ["client_id_metadata_document_supported", "authorization_response_iss_parameter_supported"]
        var members = texts.mapValues(JSONValue.string)
        for (name, texts) in lists { members[name] = .array(texts.map(JSONValue.string)) }
        for name in flags { members[name] = .bool(true) }
        return .object(members)
    }
}

extension RouterMethods {
    /// Serves an authorization adapter, and the metadata of its server: `/.well-known/oauth-authorization-server`,
    /// `/.well-known/oauth-protected-resource`, `/oauth/authorize`, `/oauth/callback`, `/oauth/token`, and `/oauth/register` if
    /// clients may register themselves. Call it on the router itself, because these paths begin at the root.
    @discardableResult public func serve(_ adapter: MSALAuthorizationAdapter) -> Self {
        serve(adapter.resource)
        onForBrowsers("/.well-known/oauth-authorization-server", method: .get) { _ in .json(adapter.metadata) }
        on("/oauth/authorize", method: .get) { request, _ in await adapter.authorize(request) }
        on("/oauth/authorize", method: .post) { request, _ in await adapter.decide(request) }
        on("/oauth/callback", method: .get) { request, _ in await adapter.callback(request) }
        onForBrowsers("/oauth/token", method: .post) { await adapter.token($0) }
        if adapter.allowsRegistration { onForBrowsers("/oauth/register", method: .post) { await adapter.register($0) } }
        return self
    }
}

extension Response {
    /// A response of an endpoint for programs, which must not be stored (RFC 6749 §5.1).
    static func json(_ value: JSONValue, status: HTTPTypes.HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: value.text))
        )
    }

    /// An error of an endpoint for programs (RFC 6749 §5.2, RFC 7591 §3.2.2).
    static func json(_ error: OAuthError) -> Response {
        let members = ["error": error.error, "error_description": error.description ?? ""].mapValues(JSONValue.string)
        var response = json(.object(members), status: HTTPTypes.HTTPResponse.Status(code: error.status ?? 400))
        if error.status == 401 { response.headers[.wwwAuthenticate] = "Basic" }
        return response
    }
}
