// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The caller of an API, as the checked access token says.
///
/// It prints neither the token nor a name nor an address.
public struct MSALPrincipal: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The kind of caller for whom the token stands.
    public enum Kind: Sendable {
        /// A user, on whose behalf the client calls.
        case user
        /// The client itself.
        case application
        /// The token does not say.
        case unknown
    }

    private let token: MSALValidatedToken
    private let api: CalledAPI

    package init(_ token: MSALValidatedToken, of api: CalledAPI) {
        self.token = token
        self.api = api
    }

    private var claims: TokenClaims { token.claims }

    /// Whether a user or an application calls.
    public var kind: Kind { claims.kind }
    /// The id of the tenant whose directory issued the token. It is empty if neither the token nor its issuer names one.
    public var tenant: String { claims.tenant ?? "" }
    /// The client id of the application that got the token.
    public var client: String { claims.client }
    /// The id of the user, or of the application's service principal, in the tenant's directory.
    public var objectId: String? { claims.objectID }
    /// The id of the user for this API alone. It is decoded when it is asked for.
    public var subject: String? { claim("sub")?.string }
    /// The permissions that the user has given the client. It is empty for an application.
    public var scopes: Set<String> { claims.common.scopes }
    /// The app roles of the user or of the application.
    public var roles: Set<String> { claims.common.roles }
    /// The capabilities of the client, such as `cp1` for claims challenges.
    public var capabilities: Set<String> { claims.common.capabilities }
    /// The authentication contexts that the sign-in met, such as `c1`.
    public var authenticationContexts: Set<String> { claims.common.authenticationContexts }

    /// A claim of the token. It is decoded when it is asked for, so keep what is needed more than once.
    public func claim(_ name: String) -> MSALClaimValue? {
        // The token was checked before, so it can be read.
        guard let payload = try? CompactToken(token.accessToken.exposed).payload else { return nil }
        return payload[name].map(MSALClaimValue.init)
    }

    /// The token, for calls on behalf of the user.
    public var validatedToken: MSALValidatedToken { token }

    /// Checks a further requirement, such as one that depends on the content of the request.
    ///
    /// - Throws: The rejection with which to answer.
    public func require(_ requirement: MSALRequirement) throws(MSALTokenRejection) {
        do throws(MSALTokenRejection) {
            try requirement.check(self)
        } catch {
            throw api.answer(error, requiring: requirement)
        }
    }

    /// The name of the type and the kind.
    public var description: String { "MSALPrincipal(\(kind))" }

    /// Whether the client can answer claims challenges.
    package var answersChallenges: Bool {
        capabilities.contains { $0.caseInsensitiveCompare("cp1") == .orderedSame }
    }

    /// The address at which the client signs its user in again.
    package var authorizationAddress: String { api.authority.universal.endpoint(.authorize).absoluteString }
}
