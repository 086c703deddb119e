// Licensed under the MIT License. See LICENSE.

import Foundation

/// A token request, with all information that the policies evaluate.
struct AccessRequest: Sendable {
    let user: User
    let tenant: Tenant
    let client: AppRegistration
    /// The API.
    let audience: String
    /// The requested authentication contexts.
    var contexts: [String] = []
    /// The address of the client; `nil` if unknown.
    var address: String?
    let now: Date
    /// The ID of the sign-in whose pages or steps request the decision; `nil` for a request without any.
    var signInID: String?
}

extension AccessRequest {
    /// A client's request for the tokens of a user.
    ///
    /// `contexts`: The authentication contexts; `nil` reads them from the claims in the form.
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

/// The proofs that a sign-in has provided.
struct AccessProof: Sendable {
    /// The time of the sign-in.
    let authenticatedAt: Date
    let hasSecondFactor: Bool
    /// Whether the organization manages the device; `nil` for a browser or an app without a device.
    var isOnManagedDevice: Bool?
}

/// The decision of the policies for a request.
enum AccessDecision: Sendable {
    /// Tokens are issued, with these authentication contexts.
    case granted(contexts: [String])
    /// A requirement is not satisfied, so no tokens are issued.
    case missing(AccessRequirement)
}

/// The requirement that is missing before tokens can be issued.
struct AccessRequirement: Sendable {
    /// The types of requirements, in the order in which they are requested.
    enum Kind: Int, Sendable, Comparable {
        /// A policy blocks the request unconditionally.
        case blocked
        /// The user is not assigned to the application.
        case assignment
        case managedDevice
        case recentSignIn
        /// A second factor, for a user with a method.
        case secondFactor
        /// A second factor, for a user without a method.
        case registration
        case newPassword
        case termsOfUse

        static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    let kind: Kind
    /// The IDs of the policies that require it.
    let policies: [String]
    /// The error for a token request, and for a request that must not show a page.
    let error: EntraError
}
