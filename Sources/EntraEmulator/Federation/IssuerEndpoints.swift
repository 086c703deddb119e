// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase

/// The endpoints of the simulated external issuers: discovery document, key set, and tokens for jobs.
struct IssuerEndpoints: Sendable {
    let settings: FederatedIssuerSettings
    let keys: SigningKeys
    let flaws: FederatedFlaws

    /// An endpoint below an issuer's address.
    enum Resource: Sendable {
        case document, keySet, token
    }

    /// The issuer and the resource at a path; `nil` if there is none.
    static func resource(at segments: [String]) -> (FederatedIssuer, Resource)? {
        guard segments.count > 2, segments[0] == FederatedIssuer.folder,
            let issuer = FederatedIssuer(rawValue: segments[1])
        else { return nil }
        let rest = "/" + segments.dropFirst(2).joined(separator: "/")
        switch rest {
        case "/.well-known/openid-configuration": return (issuer, .document)
        case issuer.keySetPath: return (issuer, .keySet)
        // A pod reads its token from a file.
        case "/token" where issuer != .kubernetes: return (issuer, .token)
        default: return nil
        }
    }

    /// The methods that a resource accepts.
    static func methods(of resource: Resource, at issuer: FederatedIssuer) -> [HTTPRequest.Method] {
        resource == .token ? [issuer == .azurePipelines ? .post : .get] : [.get, .head]
    }

    func respond(to exchange: Exchange, of issuer: FederatedIssuer, at resource: Resource) async throws -> Response {
        switch resource {
        case .document: return .json(document(of: issuer, base: exchange.base))
        case .keySet: return .json(keys.keySet(issuer: nil))
        case .token:
            guard exchange.credentials(.bearer) == Secret(settings.requestToken) else {
                return .json(
                    ["message": "The request token is missing or wrong. Send it as Authorization: Bearer."],
                    status: .unauthorized
                )
            }
            return try await token(for: exchange, of: issuer)
        }
    }

    private func document(of issuer: FederatedIssuer, base: String) -> JSONValue {
        let own = issuer.issuer(base: base)
        return [
            "issuer": .string(own),
            "jwks_uri": .string(own + issuer.keySetPath),
            "subject_types_supported": ["public", "pairwise"],
            "response_types_supported": ["id_token"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid"],
        ]
    }

    private func token(for exchange: Exchange, of issuer: FederatedIssuer) async throws -> Response {
        switch issuer {
        case .github:
            let job = WorkflowJob(exchange.query)
            let token = FederatedToken(
                issuer: issuer,
                subject: job.subject,
                audience: exchange.query["audience"] ?? "https://github.com/\(job.owner)",
                claims: job.claims
            )
            return .json(["value": .string(try await signed(token, for: exchange))])
        case .azurePipelines:
            guard let connection = exchange.query["serviceConnectionId"], exchange.query["api-version"] != nil else {
                return .json(
                    ["message": "The parameters serviceConnectionId and api-version are required."],
                    status: .badRequest
                )
            }
            let token = FederatedToken(
                issuer: issuer,
                subject: exchange.query["subject"] ?? "sc://contoso/app/\(connection)"
            )
            return .json(["oidcToken": .string(try await signed(token, for: exchange))])
        case .kubernetes: throw EntraError.notFound
        }
    }

    private func signed(_ token: FederatedToken, for exchange: Exchange) async throws -> String {
        var token = token
        token.flaw = flaws.take(for: token.issuer)
        return try await token.signed(by: keys, base: exchange.base, now: exchange.now)
    }
}
