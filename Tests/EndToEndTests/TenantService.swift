// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Synchronization
import TestSupport

/// Microsoft Entra ID, External ID, and Azure AD B2C with one tenant each, at the URLs and with the issuers that
/// Microsoft documents. No other URL exists.
final class TenantService: HTTPTransport {
    enum Kind: Sendable { case entra, external, b2c }

    static let tenant = "db5b5fab-8f4d-4e27-9da1-494c73cf256d"
    static let client = "79cb9e86-830c-41c2-8dcc-69292f45e678"
    static let policy = "B2C_1_susi"

    private static let user = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
    private static let names = [tenant, "contoso.onmicrosoft.com", "contoso.example"]
    private static let hosts: [String: Kind] = [
        "login.microsoftonline.com": .entra,
        "contoso.ciamlogin.com": .external, "\(tenant).ciamlogin.com": .external, "login.contoso.example": .external,
        "contoso.b2clogin.com": .b2c, "login.shop.example": .b2c,
    ]
    /// Creating a key takes longer than a test.
    private static let key = Result { try ProofKey.generated().key }

    private let nonces = Mutex<[String: String]>([:])

    /// The code that the browser returns to the client after a sign-in whose request has this nonce.
    func code(nonce: String) -> String {
        nonces.withLock { nonces in
            let code = "code-\(nonces.count)"
            nonces[code] = nonce
            return code
        }
    }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        guard let host = message.url.host() else { throw TransportError(.badURL, message: "No host.") }
        guard let kind = Self.hosts[host] else {
            throw TransportError(.cannotFindHost, message: "\(host) does not exist.")
        }
        do {
            if message.url.path() == "/common/discovery/instance" { return try Self.discovery(message.url) }
            guard let place = Place(message.url, kind: kind, names: Self.names) else {
                return try Self.refusal("invalid_tenant", "AADSTS90002: There is no such tenant.")
            }
            switch place.endpoint {
            case "v2.0/.well-known/openid-configuration":
                return try metadata(of: place, issuer: Self.issuer(kind, at: host), version: "/v2.0")
            case ".well-known/openid-configuration" where kind == .entra:
                return try metadata(of: place, issuer: "https://sts.windows.net/\(Self.tenant)/", version: "")
            case "discovery/v2.0/keys", "discovery/keys": return try keys()
            case "oauth2/v2.0/token": return try tokens(for: message.form, kind: kind, host: host)
            default: return HTTPResponse(status: 404)
            }
        } catch {
            throw TransportError(.badResponse, message: "\(error)")
        }
    }

    /// An access token for the application itself, as issued at a host.
    func accessToken(_ kind: Kind, at host: String) throws -> String {
        var claims = common(kind, at: host)
        claims["azp"] = Self.client
        if kind == .b2c {
            claims["scp"] = "Orders.Read"
        } else {
            claims["roles"] = ["Orders.Read"]
            claims["oid"] = claims["sub"]
        }
        return try Self.signed(claims)
    }

    // MARK: - URLs

    /// The part of a URL that names a tenant, or a policy of B2C, and the endpoint behind it.
    private struct Place {
        let base: String
        let endpoint: String

        init?(_ url: URL, kind: Kind, names: [String]) {
            var rest = url.path().split(separator: "/").map(String.init)
            var base = "https://\(url.host() ?? "")"
            func take() { base += "/\(rest.removeFirst())" }
            if kind == .b2c, rest.first == "tfp" { take() }
            guard let tenant = rest.first, names.contains(tenant) else { return nil }
            take()
            if kind == .b2c {
                guard rest.first == TenantService.policy else { return nil }
                take()
            }
            self.base = base
            endpoint = rest.joined(separator: "/")
        }
    }

    private static func issuer(_ kind: Kind, at host: String) -> String {
        switch kind {
        case .entra: "https://login.microsoftonline.com/\(tenant)/v2.0"
        case .external: "https://\(tenant).ciamlogin.com/\(tenant)/v2.0"
        case .b2c: "https://\(host)/\(tenant)/v2.0/"
        }
    }

    private static func discovery(_ url: URL) throws -> HTTPResponse {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let asked = parts?.queryItems?.first { $0.name == "authorization_endpoint" }?.value.flatMap(URL.init(string:))
        guard let host = asked?.host(), hosts[host] == .entra else {
            return try refusal("invalid_instance", "AADSTS50049: Unknown instance.")
        }
        let cloud: [String: Any] = [
            "preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net",
            "aliases": ["login.microsoftonline.com", "login.windows.net"],
        ]
        return try json([
            "tenant_discovery_endpoint": "https://login.microsoftonline.com/common/.well-known/openid-configuration",
            "metadata": [cloud],
        ])
    }

    private func metadata(of place: Place, issuer: String, version: String) throws -> HTTPResponse {
        try Self.json([
            "issuer": issuer, "jwks_uri": "\(place.base)/discovery\(version)/keys",
            "authorization_endpoint": "\(place.base)/oauth2\(version)/authorize",
            "token_endpoint": "\(place.base)/oauth2\(version)/token",
        ])
    }

    // MARK: - Tokens

    private func keys() throws -> HTTPResponse {
        let key = try Self.key.get()
        let members = ["kty": "RSA", "use": "sig", "kid": "k1", "n": key.modulus, "e": key.exponent]
        return try Self.json(["keys": [members]])
    }

    private func tokens(for form: [String: String], kind: Kind, host: String) throws -> HTTPResponse {
        var members: [String: Any] = [
            "token_type": "Bearer", "expires_in": 3600, "access_token": try accessToken(kind, at: host),
            "scope": form["scope"] ?? "",
        ]
        if form["grant_type"] == "authorization_code" {
            var claims = common(kind, at: host)
            claims["oid"] = Self.user
            claims["nonce"] = nonces.withLock { $0[form["code"] ?? ""] }
            members["id_token"] = try Self.signed(claims)
            let uid = kind == .b2c ? "\(Self.user)-\(Self.policy.lowercased())" : Self.user
            members["client_info"] = Base64URL.encode(try Self.data(["uid": uid, "utid": Self.tenant]))
        }
        return try Self.json(members)
    }

    private func common(_ kind: Kind, at host: String) -> [String: Any] {
        let now = Int(Date.now.timeIntervalSince1970)
        var claims: [String: Any] = [
            "iss": Self.issuer(kind, at: host), "aud": Self.client, "sub": "pairwise",
            "iat": now, "nbf": now, "exp": now + 3600,
            // B2C tokens always have version 1.0.
            "ver": kind == .b2c ? "1.0" : "2.0",
        ]
        if kind != .b2c { claims["tid"] = Self.tenant }
        return claims
    }

    private static func signed(_ claims: [String: Any]) throws -> String {
        let header: [String: Any] = ["alg": "RS256", "typ": "JWT", "kid": "k1"]
        let text = try [header, claims].map { Base64URL.encode(try data($0)) }.joined(separator: ".")
        return "\(text).\(Base64URL.encode(try key.get().signature(for: Data(text.utf8))))"
    }

    private static func data(_ members: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: members)
    }

    private static func json(_ members: [String: Any], status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: try data(members))
    }

    private static func refusal(_ error: String, _ description: String) throws -> HTTPResponse {
        try json(["error": error, "error_description": description], status: 400)
    }
}
