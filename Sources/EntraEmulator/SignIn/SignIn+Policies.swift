// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The pages on which a user satisfies the requirements of policies.
extension SignIn {
    /// The decision of the access policies for the request of a flow.
    func decision(
        on identity: SignInFlow.Identity,
        of user: User,
        in tenant: Tenant,
        flow: SignInFlow,
        exchange: Exchange
    ) -> AccessDecision {
        var request = AccessRequest(
            exchange,
            of: user,
            in: tenant,
            client: flow.request.client,
            audience: flow.request.scopes.audience,
            contexts: flow.request.authenticationContexts
        )
        request.signInID = flow.id
        let decision = policies.decide(request, proof: identity.proof)
        // An expired password only affects the pages, because a refresh token was already issued for it.
        guard case .granted = decision, user.customer == nil, user.passwordState == .expired else { return decision }
        return .missing(AccessRequirement(kind: .newPassword, policies: [], error: .passwordExpired))
    }

    /// Shows the page on which the user satisfies the missing requirement.
    func supply(
        _ need: AccessRequirement,
        of user: User,
        in flow: inout SignInFlow,
        exchange: Exchange
    ) async throws -> Response {
        switch need.kind {
        case .blocked, .assignment, .managedDevice: return show(.refused(need.error), in: &flow)
        case .recentSignIn:
            flow.identity = nil
            return try await named(user.userPrincipalName, in: &flow, exchange: exchange)
        case .secondFactor:
            guard let method = user.secondFactors.first(where: { !$0.isBlocked }) else {
                return show(.registration, in: &flow, typed: user.userPrincipalName)
            }
            let challenge = SignInFlow.Challenge(
                userID: user.id,
                address: method.address,
                channel: method.channel,
                isSecondFactor: true
            )
            return try self.challenge(challenge, in: &flow, exchange: exchange)
        case .registration: return show(.registration, in: &flow, typed: user.userPrincipalName)
        case .newPassword:
            // Customers have a separate password reset.
            return user.customer == nil ? show(.newPassword, in: &flow) : show(.refused(need.error), in: &flow)
        case .termsOfUse: return show(.termsOfUse(need.policies), in: &flow)
        }
    }

    // MARK: Forms

    /// Sends a code to the address that becomes a method.
    func registered(_ contact: String?, in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity else { return show(.userName, in: &flow) }
        let contact = (contact ?? "").trimmingCharacters(in: .whitespaces)
        let channel: StrongMethod.Channel = contact.hasPrefix("+") ? .sms : .email
        guard StrongMethod.isPlausible(contact, for: channel) else {
            return show(.registration, in: &flow, problem: .invalidContact, typed: contact)
        }
        guard !directory.isBlockedContact(contact) else {
            return show(.registration, in: &flow, problem: .blockedContact, typed: contact)
        }
        let challenge = SignInFlow.Challenge(
            userID: identity.userID,
            address: contact,
            channel: channel,
            isSecondFactor: true,
            isRegistration: true
        )
        return try self.challenge(challenge, in: &flow, exchange: exchange)
    }

    /// Stores a new password. All earlier sign-ins end, except this one.
    func changedPassword(in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity, var user = try await store.user(id: identity.userID),
            let tenant = directory.tenant(id: user.homeTenantID)
        else { return show(.userName, in: &flow) }
        let password = Secret(exchange.form["newpasswd"] ?? "")
        guard password == Secret(exchange.form["confirmnewpasswd"] ?? "") else {
            return show(.newPassword, in: &flow, problem: .differentPasswords)
        }
        let violation = PasswordPolicy.violation(
            of: password,
            userName: user.userPrincipalName,
            tenant: tenant,
            user: user
        )
        if let violation { return show(.newPassword, in: &flow, problem: .badPassword(violation)) }
        user.replacePassword(with: password, at: exchange.now)
        try await store.save(user)
        flow.identity?.authenticatedAt = exchange.now
        return try await proceed(&flow, exchange: exchange)
    }

    /// Records that the user has accepted the terms of use of policies.
    func agreed(_ policies: [String], in flow: inout SignInFlow, exchange: Exchange) async throws -> Response {
        guard let identity = flow.identity, var user = try await store.user(id: identity.userID) else {
            return show(.userName, in: &flow)
        }
        guard exchange.pressedButton == "accept" else { return show(.termsOfUse(policies), in: &flow) }
        user.acceptTerms(of: policies)
        try await store.save(user)
        return try await proceed(&flow, exchange: exchange)
    }
}

extension EntraError {
    fileprivate static let differentPasswords = invalidRequest(
        90_023,
        message: "The two passwords differ. Type the same one twice."
    )
}
