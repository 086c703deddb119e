// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// What a caller must satisfy before a request can proceed: a second factor, an authentication context, or a new
/// sign-in.
///
/// A handler throws it, and the middleware responds with ``MSALTokenRejection/init(_:for:)-(MSALClaimsChallenge,_)``.
/// The client signs its user in again with the claims, and repeats the request (Microsoft's page "Claims challenges,
/// claims requests, and client capabilities").
///
/// ```swift
/// guard identity.authenticationContexts.contains("c1") else { throw MSALClaimsChallenge.authenticationContext("c1") }
/// ```
public struct MSALClaimsChallenge: Error, Sendable, Hashable {
    /// The claims as JSON text; `nil` if the service sent none that can be passed on.
    public let claims: String?

    /// Requests an authentication context of a Conditional Access policy, such as `c1`.
    public static func authenticationContext(_ value: String) -> MSALClaimsChallenge {
        let demand: JSONValue = .object(["essential": .bool(true), "value": .string(value)])
        let claims: JSONValue = .object(["access_token": .object(["acrs": demand])])
        return MSALClaimsChallenge(claims: claims.text)
    }

    /// Creates a challenge from the service's error when it rejected a token request on behalf of the user.
    ///
    /// The result is `nil` if the user cannot resolve the error. Claims that are not a JSON object are omitted, because
    /// they become part of a header. The response then says that the token is no longer valid, and the client signs its
    /// user in again.
    public init?(_ error: MSALTokenError) {
        guard error.needsUser || error.claims != nil else { return nil }
        self.init(passingOn: error.claims)
    }

    /// The claims of a refusal, unchanged if they are a JSON object.
    package init(passingOn claims: String?) {
        let isObject = claims.flatMap { JSONValue(parsing: Data($0.utf8))?.object } != nil
        self.init(claims: isObject ? claims : nil)
    }

    private init(claims: String?) { self.claims = claims }

    /// Whether the caller's token already satisfies the challenge, so that a new one would not help.
    package func isMet(by principal: MSALPrincipal) -> Bool {
        let demands = claims.flatMap { JSONValue(parsing: Data($0.utf8))?.object } ?? [:]
        guard
            demands.count == 1, let ofToken = demands["access_token"]?.object, ofToken.count == 1,
            let context = ofToken["acrs"]?.object?["value"]?.string
        else { return false }
        return principal.authenticationContexts.containsExactly(context)
    }
}
