// Licensed under the MIT License. See LICENSE.

import Foundation

/// A request for tokens, with all that the policies decide by.
struct AccessRequest: Sendable {
    let user: User
    let tenant: Tenant
    let client: AppRegistration
    /// The API.
    let audience: String
    /// The authentication contexts that are asked for.
    var contexts: [String] = []
    /// The address of the client; `nil` where it is not known.
    var address: String?
    let now: Date
}

extension AccessRequest {
    /// The request of a client for tokens of a user.
    ///
    /// `contexts`: The authentication contexts; `nil` reads them from the claims of the form.
    init(
        _ exchange: Exchange,
        of user: User,
        in tenant: Tenant,
        client: AppRegistration,
        audience: String,
        contexts: [String]? = nil
    ) {
        self.init(
            user: user,
            tenant: tenant,
            client: client,
            audience: audience,
            contexts: contexts ?? RequestedClaims.authenticationContexts(ifAnyIn: exchange.form["claims"]),
            address: exchange.clientAddress,
            now: exchange.now
        )
    }
}

/// The proofs that a sign-in has given.
struct AccessProof: Sendable {
    /// The time of the sign-in.
    let authenticatedAt: Date
    let hasSecondFactor: Bool
    /// Whether the organization manages the device; `nil` for a browser or an app without a device.
    var isOnManagedDevice: Bool?
}

/// The decision of the policies about a request.
enum AccessDecision: Sendable {
    /// Tokens are given, with these authentication contexts.
    case granted(contexts: [String])
    /// A proof is missing. Nothing is given without it.
    case missing(AccessNeed)
}

/// The proof that is missing before tokens are given.
struct AccessNeed: Sendable {
    /// The kinds, in the order in which they are asked for.
    enum Kind: Int, Sendable, Comparable {
        /// A policy blocks the request, and no proof helps.
        case blocked
        /// The user is not assigned to the application.
        case assignment
        case managedDevice
        case recentSignIn
        /// A second factor, of a user who has a method.
        case secondFactor
        /// A second factor, of a user without a method.
        case registration
        case newPassword
        case termsOfUse

        static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    let kind: Kind
    /// The ids of the policies that want it.
    let policies: [String]
    /// The refusal of a token request, and of a request that may show no page.
    let error: EntraError
}
