// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALCore
import MSALServer

/// A code or a refresh token of the service, as a client keeps it.
struct SealedGrant: Codable, Sendable {
    let value: String
    /// The verifier for a code.
    var verifier: String?
    let scopes: [String]
    let begun: Int64
}

extension MSALAuthorizationAdapter {
    /// The token endpoint. It redeems codes and refresh tokens, and nothing else, because with the adapter's credential other
    /// grants would give out tokens of its own application.
    func token(_ request: Request) async -> Response {
        do throws(OAuthError) {
            guard request.headers[.authorization] == nil else {
                throw .refusal("invalid_client", "Clients do not authenticate here.", status: 401)
            }
            guard let parameters = await request.form() else {
                throw .request("The body is not a form, is too large, or has a duplicate parameter.")
            }
            guard ["client_secret", "client_assertion", "client_assertion_type"].allSatisfy({ parameters[$0] == nil })
            else {
                throw .client("Clients do not authenticate here.")
            }
            guard let clientID = parameters["client_id"] else { throw .request("The client ID is missing.") }
            try rules.check(resource: parameters["resource"])
            var form = FormBody()
            form.set(.grantType, to: parameters["grant_type"])
            switch parameters["grant_type"] {
            case "authorization_code":
                let grant = try code(parameters, of: clientID)
                form.set(.code, to: grant.value)
                form.set(.redirectURI, to: redirectUri)
                form.set(.codeVerifier, to: grant.verifier)
                return try await redeem(form, scopes: grant.scopes, of: grant, for: clientID)
            case "refresh_token":
                guard
                    let grant = sealer.open(SealedGrant.self, parameters["refresh_token"], for: ["refresh", clientID])
                else {
                    throw .refusal("invalid_grant", "The refresh token is not valid, or is another client's.")
                }
                form.set(.refreshToken, to: grant.value)
                // A refresh cannot add scopes (RFC 6749 §6), and stays one if the client does not name its scope.
                let requested = parameters["scope"] == nil ? [] : try rules.requested(parameters["scope"])
                guard Set(requested).isSubset(of: grant.scopes) else {
                    throw .refusal("invalid_scope", "The refresh token was not issued for these scopes.")
                }
                let scopes = grant.scopes.filter {
                    requested.isEmpty || requested.contains($0) || !rules.scopes.contains($0)
                }
                return try await redeem(form, scopes: scopes, of: grant, for: clientID)
            default: throw .refusal("unsupported_grant_type", "Only codes and refresh tokens can be redeemed here.")
            }
        } catch {
            return .json(error)
        }
    }

    /// The code of a client. It opens only for the client, the redirect URI, and the challenge for which it was sealed.
    private func code(_ parameters: FormParameters, of clientID: String) throws(OAuthError) -> SealedGrant {
        guard let verifier = parameters["code_verifier"], (43...128).contains(verifier.utf8.count),
            verifier.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._~".utf8.contains($0) })
        else { throw .request("The code verifier is missing or malformed.") }
        let challenge = PKCE(verifier: Secret(verifier)).challenge
        let context = ["code", clientID, parameters["redirect_uri"] ?? "", challenge]
        guard let grant = sealer.open(SealedGrant.self, parameters["code"], for: context), isFresh(grant.begun) else {
            throw .refusal("invalid_grant", "The code has expired, or is another client's.")
        }
        return grant
    }

    /// Redeems a grant at the service, once. The response has the service's access token, and its refresh token sealed.
    private func redeem(
        _ form: FormBody,
        scopes: [String],
        of grant: SealedGrant,
        for clientID: String
    ) async throws(OAuthError) -> Response {
        var form = form
        form.set(.clientID, to: application.configuration.clientId)
        form.set(.scope, to: scopes.joined(separator: " "))
        let tokens: TokenResponse
        do throws(MSALTokenError) {
            tokens = try await application.redeem(
                form,
                tenant: nil,
                options: MSALTokenOptions(),
                correlationID: .random(),
                repetition: .never
            )
        } catch {
            throw OAuthError(error)
        }
        guard let accessToken = tokens.accessToken, tokens.tokenType?.lowercased() == "bearer" else { throw .failed }
        var members: [String: JSONValue] = [
            "access_token": .string(accessToken.exposed), "token_type": .string("Bearer"),
            "expires_in": .integer(Int64(max(0, tokens.expiresOn.timeIntervalSince(tokens.receivedAt)))),
            "scope": .string(tokens.scope ?? scopes.joined(separator: " ")),
        ]
        if let token = tokens.refreshToken {
            let kept = SealedGrant(value: token.exposed, scopes: grant.scopes, begun: now)
            members["refresh_token"] = sealer.seal(kept, for: ["refresh", clientID]).map(JSONValue.string)
        }
        return .json(.object(members))
    }

    /// Dynamic Client Registration (RFC 7591). The client ID contains the registration.
    func register(_ request: Request) async -> Response {
        guard let body = try? await request.body.collect(upTo: 16 << 10),
            let members = JSONValue(parsing: Data(body.readableBytesView))?.object
        else { return .json(.refusal("invalid_client_metadata", "The body is not a JSON object, or is too large.")) }
        let uris = members["redirect_uris"]?.array?.map { $0.string ?? "" } ?? []
        guard (1...10).contains(uris.count), uris.allSatisfy({ redirects.contains($0) && $0.utf8.count <= 512 }) else {
            return .json(
                .refusal("invalid_redirect_uri", "The redirect URIs are missing, too many, or not allowed here.")
            )
        }
        let client = AdapterClient(
            name: members["client_name"]?.string?.shortened,
            redirectURIs: uris,
            refreshes: AdapterClient.refreshes(members)
        )
        guard let id = sealer.seal(client, for: ["client"]) else { return .json(.failed) }
        var registration: [String: JSONValue] = [
            "client_id": .string(id), "client_id_issued_at": .integer(now),
            "redirect_uris": .array(uris.map(JSONValue.string)),
            "grant_types": .array([.string("authorization_code"), .string("refresh_token")]),
            "response_types": .array([.string("code")]), "token_endpoint_auth_method": .string("none"),
        ]
        registration["client_name"] = client.name.map(JSONValue.string)
        return .json(.object(registration), status: .created)
    }
}
