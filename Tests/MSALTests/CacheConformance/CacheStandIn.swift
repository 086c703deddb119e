// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

@testable import MSALBase
@testable import MSALCore

/// The service that the conformance data assume: it knows clouds and tenants, and rejects every refresh token.
final class CacheStandIn: HTTPTransport {
    private let aliases: [[String]]
    private let tenantIDs: [String: String]
    private let spent = Mutex<[String]>([])

    init(_ file: CacheFile) {
        aliases = file.aliases
        tenantIDs = file.tenantIDs
    }

    /// The refresh tokens that were sent, in order, without duplicates.
    var refreshTokens: [String] { spent.withLock { $0 } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        guard message.method == "POST" else {
            return .json(
                message.url.path().hasSuffix("/discovery/instance") ? clouds : openIDDocument(message.url)
            )
        }
        let form = RedirectParameters.parse(String(decoding: message.body ?? Data(), as: UTF8.self))
        if let token = form["refresh_token"] {
            spent.withLock { if !$0.contains(token) { $0.append(token) } }
        }
        let refusal = ["error": "invalid_grant", "error_description": "There is no token service here."]
        return .json(.object(refusal.mapValues(JSONValue.string)), status: 400)
    }

    private var clouds: JSONValue {
        let metadata = aliases.map { group in
            JSONValue.object([
                "preferred_network": .string(group.first ?? ""),
                "preferred_cache": .string(
                    KnownClouds.metadata(for: group.first ?? "")?.cacheHost ?? group.first ?? ""
                ),
                "aliases": .array(group.map(JSONValue.string)),
            ])
        }
        return .object([
            "tenant_discovery_endpoint": .string("https://login.microsoftonline.com/common/v2.0/.well-known/openid"),
            "metadata": .array(metadata),
        ])
    }

    private func openIDDocument(_ url: URL) -> JSONValue {
        let text = url.absoluteString
        var base = text.components(separatedBy: "/v2.0/.well-known").first ?? text
        for (domain, identifier) in tenantIDs { base = base.replacing(domain, with: identifier) }
        let origin = "https://" + (url.host() ?? "")
        return .object([
            "issuer": .string("\(origin)/{tenantid}/v2.0"),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
        ])
    }
}
