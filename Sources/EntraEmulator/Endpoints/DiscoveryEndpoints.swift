// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Instance discovery, the OpenID Connect metadata, and the key set.
struct DiscoveryEndpoints: Sendable {
    let directory: ServedDirectory
    let identity: ServerIdentity
    let ports: BoundPorts
    let keys: SigningKeys

    /// `GET /common/discovery/instance`: the host names of the same cloud.
    func instance(_ exchange: Exchange) throws -> Response {
        guard let endpoint = exchange.query["authorization_endpoint"] else {
            throw EntraError.missingParameter("authorization_endpoint")
        }
        guard let url = URL(string: endpoint), url.scheme == "https", let host = url.host?.lowercased() else {
            throw EntraError.unknownInstance(endpoint)
        }
        let segments = url.pathComponents.filter { $0 != "/" }
        let authority = url.port.map { "\(host):\($0)" } ?? host
        var clouds = KnownHosts.all
        if !clouds.contains(where: { $0.aliases.contains(authority) }) {
            guard identity.covers(host) else { throw EntraError.unknownInstance(authority) }
            clouds.append(
                KnownHosts(preferredNetwork: authority, preferredCache: authority, aliases: [authority])
            )
        }
        return .json([
            "tenant_discovery_endpoint": .string(
                "https://\(authority)/\(segments.first ?? "common")/v2.0/.well-known/openid-configuration"
            ),
            "api-version": .string(exchange.query["api-version"] ?? "1.1"),
            "metadata": .array(
                clouds.map { cloud in
                    [
                        "preferred_network": .string(cloud.preferredNetwork),
                        "preferred_cache": .string(cloud.preferredCache),
                        "aliases": .strings(cloud.aliases),
                    ]
                }
            ),
        ])
    }

    /// `GET /{tenant}/v2.0/.well-known/openid-configuration`, OpenID Connect Discovery §4; without `v2.0`, the version
    /// 1.0 document.
    func metadata(_ exchange: Exchange, tenant segment: TenantSegment) throws -> Response {
        let selector = try directory.selector(for: segment)
        let root = "\(exchange.base)/\(segment)"
        // A browser uses the public address, all other clients the one that they connected to.
        let pages = "\(exchange.publicBase)/\(segment)"
        let version = exchange.isVersion1 ? "" : "/v2.0"
        var members: [String: JSONValue] = [
            "issuer": .string(issuer(of: selector, exchange: exchange)),
            "authorization_endpoint": .string("\(pages)/oauth2\(version)/authorize"),
            "token_endpoint": .string("\(root)/oauth2\(version)/token"),
            "device_authorization_endpoint": .string("\(root)/oauth2\(version)/devicecode"),
            "end_session_endpoint": .string("\(pages)/oauth2\(version)/logout"),
            "jwks_uri": .string("\(root)/discovery\(version)/keys"),
            "userinfo_endpoint": .string("\(exchange.base)/oidc/userinfo"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "response_types_supported": ["code", "id_token", "code id_token"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": [
                "client_secret_post", "private_key_jwt", "client_secret_basic", "self_signed_tls_client_auth", "none",
            ],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "nbf", "auth_time", "nonce", "name", "preferred_username", "oid",
                "tid", "email", "ver", "c_hash", "sid", "uti", "idp",
            ],
            "request_uri_parameter_supported": false,
            "http_logout_supported": true,
            "frontchannel_logout_supported": true,
            "frontchannel_logout_session_supported": true,
            "tenant_region_scope": selector.region,
            "cloud_instance_name": "microsoftonline.com",
            "cloud_graph_host_name": "graph.windows.net",
            "msgraph_host": .string(exchange.graphHost),
        ]
        // RFC 8705 §3.3 and §5.
        if let base = mutualTLSBase(of: exchange) {
            members["mtls_endpoint_aliases"] = [
                "token_endpoint": .string("\(base)/\(segment)/oauth2\(version)/token")
            ]
            members["tls_client_certificate_bound_access_tokens"] = true
        }
        return .json(.object(members))
    }

    /// The address that requests a client certificate: the service's own host name for it, or a port of this machine;
    /// `nil` if there is none.
    private func mutualTLSBase(of exchange: Exchange) -> String? {
        guard let url = URL(string: exchange.base), let host = url.host else { return nil }
        if let named = KnownHosts.mutualTLS(of: host) { return "https://\(named)" + (url.port.map { ":\($0)" } ?? "") }
        guard let port = ports.mutualTLS, KnownHosts.graph(of: host) == nil else { return nil }
        return "https://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// `GET /{tenant}/discovery/v2.0/keys`.
    func keys(_ exchange: Exchange, tenant segment: TenantSegment) throws -> Response {
        let issuer = issuer(of: try directory.selector(for: segment), exchange: exchange)
        return .json(keys.keySet(issuer: exchange.isVersion1 ? nil : issuer))
    }

    /// `GET /common/userrealm/{user name}`: whether the password is verified here.
    func userRealm(of userName: String) throws -> Response {
        let domain = userName.split(separator: "@").last.map { $0.lowercased() } ?? ""
        let isKnown = directory.tenants.contains { $0.isNamed(domain) }
        return .json([
            "ver": "1.0",
            "account_type": isKnown ? "Managed" : "Unknown",
            "domain_name": .string(domain),
            "cloud_instance_name": "microsoftonline.com",
            "cloud_audience_urn": "urn:federation:MicrosoftOnline",
        ])
    }

    // With `common` and `organizations`, the tenant is not known yet, so the issuer is a template.
    private func issuer(of selector: TenantSelector, exchange: Exchange) -> String {
        let id =
            switch selector {
            case .common, .organizations: "{tenantid}"
            case .consumers: directory.personalTenantID
            case .tenant(let tenant): tenant.id
            }
        return exchange.isVersion1
            ? TokenIssuer.issuerOfVersion1(tenantID: id) : TokenIssuer.issuer(base: exchange.publicBase, tenantID: id)
    }
}

extension TenantSelector {
    fileprivate var region: JSONValue {
        if case .tenant = self { .string(Tenant.region) } else { .null }
    }
}
