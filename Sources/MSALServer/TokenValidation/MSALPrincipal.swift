// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The caller of an API, according to its validated access token.
///
/// Its description contains neither the token nor a name or address.
public struct MSALPrincipal: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The kind of caller that the token represents.
    public enum Kind: Sendable {
        /// A user, on whose behalf the client calls.
        case user
        /// The client itself.
        case application
        /// The token does not say.
        case unknown
    }

    private let token: MSALValidatedToken
    private let api: any CalledAPI

    package init(_ token: MSALValidatedToken, of api: any CalledAPI) {
        self.token = token
        self.api = api
    }

    private var claims: TokenClaims { token.claims }

    /// Whether the caller is a user or an application.
    public var kind: Kind { claims.kind }
    /// The id of the tenant that issued the token. It is empty if neither the token nor its issuer names one.
    public var tenant: String { claims.tenant ?? "" }
    /// The client ID of the application that requested the token.
    public var client: String { claims.client }
    /// The agent identity that asked for the token; `nil` if the client is not an agent.
    public var agent: MSALAgentIdentity? { claims.common.agent.map { MSALAgentIdentity($0, clientID: client) } }
    /// The id of the user, or of the application's service principal, in the tenant's directory.
    public var objectId: String? { claims.objectID }
    /// The user's ID that is specific to this API. It is decoded on each access.
    public var subject: String? { claim("sub")?.string }
    /// The scopes that the user granted to the client; empty for an application.
    public var scopes: Set<String> { claims.common.scopes }
    /// The app roles of the user or of the application.
    public var roles: Set<String> { claims.common.roles }
    /// The capabilities of the client, such as `cp1` for claims challenges.
    public var capabilities: Set<String> { claims.common.capabilities }
    /// The authentication contexts that the sign-in satisfied, such as `c1`.
    public var authenticationContexts: Set<String> { claims.common.authenticationContexts }

    /// Returns a claim of the token. It is decoded on each call, so keep a value that you need more than once.
    public func claim(_ name: String) -> MSALClaimValue? {
        // The token was checked before, so it can be read.
        guard let payload = try? CompactToken(token.accessToken.exposed).payload else { return nil }
        return payload[name].map(MSALClaimValue.init)
    }

    /// The token, for calls on behalf of the user.
    public var validatedToken: MSALValidatedToken { token }

    /// Checks an additional requirement, such as one that depends on the content of the request. A rejection is logged.
    ///
    /// - Throws: The rejection to respond with.
    public func require(_ requirement: MSALRequirement) throws(MSALTokenRejection) {
        do throws(MSALTokenRejection) {
            try requirement.check(self)
        } catch {
            throw api.answer(error, to: token.accessToken.exposed, requiring: requirement)
        }
    }

    /// The name of the type and the kind.
    public var description: String { "MSALPrincipal(\(kind))" }

    /// Whether the client can handle claims challenges.
    package var answersChallenges: Bool { capabilities.contains { $0.caseInsensitiveCompare("cp1") == .orderedSame } }

    /// The address at which the client signs its user in again.
    package var authorizationAddress: String { api.authority.universal.endpoint(.authorize).absoluteString }
}
