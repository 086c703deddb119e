// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with `requested_token_use=on_behalf_of` (Microsoft identity
/// platform, "OAuth 2.0 On-Behalf-Of flow"): an API exchanges a token that it received for a token to call another API.
struct OnBehalfOfGrant: Sendable {
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let policies: AccessPolicies
    let keys: SigningKeys

    /// Exchanges a user's access token.
    func redeem(_ exchange: Exchange, client: AuthenticatedClient) async throws -> GrantOutcome {
        let form = exchange.form
        try client.requireAuthentication()
        guard let use = form["requested_token_use"] else { throw EntraError.missingParameter("requested_token_use") }
        guard use == "on_behalf_of" else { throw EntraError.unsupportedValue("requested_token_use") }
        guard let assertion = form["assertion"] else { throw EntraError.missingParameter("assertion") }
        var scopes = try exchange.scopesOfSingleAPI(of: client.registration, in: directory)
        let (user, claims) = try await subject(of: Secret(assertion), for: client, in: exchange)
        guard let tenant = directory.tenant(id: claims["tid"]?.string ?? "") else { throw EntraError.unknownUser }

        scopes = try await consents.checked(scopes, by: user, to: client.registration, in: tenant)
        let proof = AccessProof(
            authenticatedAt: Self.issued(claims),
            hasSecondFactor: claims["amr"]?.array?.contains("mfa") == true
        )
        // The API passes the claims of an error on to its caller (Microsoft identity platform, "Claims challenge").
        let contexts = try policies.contexts(
            of: AccessRequest(exchange, of: user, in: tenant, client: client.registration, audience: scopes.audience),
            proof: proof,
            earlier: claims["acrs"]?.array?.compactMap(\.string) ?? []
        )
        var entitlement = Entitlement(
            family: claims["sid"]?.string ?? UUID().text,
            userID: user.id,
            tenantID: tenant.id,
            clientID: client.clientID,
            scopes: scopes,
            authenticatedAt: proof.authenticatedAt,
            capabilities: RequestedClaims.capabilities(ifAnyIn: form["claims"])
        )
        entitlement.hasSecondFactor = proof.hasSecondFactor
        entitlement.authenticationContexts = contexts
        entitlement.clientAuthentication = client.authentication
        return GrantOutcome(entitlement: entitlement, scopes: scopes)
    }

    /// The user of a token, if it is an access token for an API of this client.
    private func subject(
        of assertion: Secret,
        for client: AuthenticatedClient,
        in exchange: Exchange
    ) async throws -> (User, [String: JSONValue]) {
        guard let claims = await keys.claims(of: assertion.exposed) else {
            throw EntraError.invalidUserAssertion("its signature is invalid")
        }
        let seconds = Int(exchange.now.timeIntervalSince1970)
        guard let expiry = claims["exp"]?.int, let start = claims["nbf"]?.int, start <= seconds + 300 else {
            throw EntraError.invalidUserAssertion("it is not valid yet, or has no expiry")
        }
        guard expiry > seconds else {
            let end = Date(timeIntervalSince1970: TimeInterval(expiry))
            throw EntraError.expiredUserAssertion(end, at: exchange.now)
        }
        let audience = claims["aud"]?.string ?? ""
        // Microsoft Entra, "Agent on-behalf-of flow": an agent exchanges the tokens that its blueprint received.
        let recipient = client.registration.agent?.blueprintID ?? client.clientID
        let isOwn =
            audience.lowercased() == recipient.lowercased()
            || directory.api(identifier: audience)?.isRegistration(of: recipient) == true
        guard isOwn else {
            let name = client.registration.displayName
            throw EntraError.foreignAssertion(audience, clientID: client.clientID, named: name)
        }
        // The audience of an ID token is the client, too, but an ID token has no permissions.
        guard claims["scp"]?.string?.isEmpty == false else {
            let isAboutApplication = claims["idtyp"]?.string == "app" || claims["roles"] != nil
            throw isAboutApplication
                ? EntraError.applicationAssertion(client.clientID)
                : .invalidUserAssertion("it is not an access token of a user")
        }
        guard let family = claims["sid"]?.string, try await !store.isRevoked(family: family) else {
            throw Self.revocation(in: exchange)
        }
        guard let user = try await store.user(objectID: claims["oid"]?.string ?? "", in: claims["tid"]?.string ?? "")
        else { throw EntraError.unknownUser }
        // A token older than the user's password must not be exchanged for one that outlives it.
        guard user.accepts(signInAt: Self.issued(claims)) else { throw Self.revocation(in: exchange) }
        return (user, claims)
    }

    /// The error after the user's sign-ins were revoked. A client that announced `cp1` gets the claims for its caller,
    /// in the same form as from a resource (Microsoft identity platform, "Claims challenges, claims requests and client
    /// capabilities").
    private static func revocation(in exchange: Exchange) -> EntraError {
        let capabilities = RequestedClaims.capabilities(ifAnyIn: exchange.form["claims"])
        guard capabilities.contains(where: { $0.lowercased() == "cp1" }) else { return .grantRevoked }
        let now = Int(exchange.now.timeIntervalSince1970)
        let claims: JSONValue = ["access_token": ["nbf": ["essential": true, "value": .string("\(now)")]]]
        return EntraError.grantRevoked.with(["claims": .string(String(decoding: claims.encoded(), as: UTF8.self))])
    }

    /// The end of the second in which a token was issued.
    private static func issued(_ claims: [String: JSONValue]) -> Date {
        Date(timeIntervalSince1970: TimeInterval(claims["iat"]?.int ?? 0) + 1)
    }
}
