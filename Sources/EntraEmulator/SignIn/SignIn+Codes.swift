// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// One-time codes in the pages: instead of a password, and as a second factor.
extension SignIn {
    /// The code that the person still has to type, if a policy wants one and there is somewhere to send it.
    func secondFactor(of user: User, _ flow: SignInFlow) -> SignInFlow.Challenge? {
        guard let profile = user.customer, flow.identity?.hasSecondFactor == false,
            let method = profile.strongMethods.first(where: { !$0.isBlocked })
        else { return nil }
        let resource = platform.directory.resource(audience: flow.request.scopes.audience)
        let appWantsIt = flow.request.client.native?.requiresSecondFactor ?? false
        let policyApplies = profile.credential == .password && (appWantsIt || resource?.requiresSecondFactor ?? false)
        guard profile.requiresSecondFactor || policyApplies else { return nil }
        return .init(userID: user.id, address: method.address, channel: method.channel, isSecondFactor: true)
    }

    /// Sends a code and asks for it.
    func challenge(
        _ challenge: SignInFlow.Challenge,
        _ flow: inout SignInFlow,
        _ exchange: Exchange
    ) throws -> Response {
        flow.code = try platform.native.issueCode(
            challenge.isSecondFactor ? .secondFactor : .signIn,
            to: challenge.address,
            challenge.channel,
            now: exchange.now
        )
        return show(.code(challenge), &flow)
    }

    /// Takes the code, or sends another.
    func typedCode(
        _ challenge: SignInFlow.Challenge,
        _ flow: inout SignInFlow,
        _ exchange: Exchange
    ) async throws -> Response {
        if exchange.form["action"] == "resend" { return try self.challenge(challenge, &flow, exchange) }
        let typed = Secret((exchange.form["otc"] ?? "").filter { !$0.isWhitespace })
        let allowed = platform.native.settings.wrongCodesAllowed
        let problem =
            flow.code?.check(typed, allowed: allowed, now: exchange.now) ?? (flow.code == nil ? .wrongCode : nil)
        if let problem { return show(.code(challenge), &flow, problem: problem) }
        flow.code = nil
        guard let user = try await platform.store.user(id: challenge.userID) else { return show(.userName, &flow) }
        guard user.isEnabled, user.customer?.isLocked != true else {
            return show(.userName, &flow, problem: user.isEnabled ? .lockedUser : .disabledUser)
        }
        guard challenge.isSecondFactor else {
            flow.identity = .init(userID: user.id, authenticatedAt: exchange.now)
            return show(.staySignedIn, &flow)
        }
        flow.identity?.hasSecondFactor = true
        try await remember(flow, exchange)
        return try await proceed(&flow, exchange)
    }

    /// Lets the browser's session know of the second factor, so that the next app need not ask again.
    private func remember(_ flow: SignInFlow, _ exchange: Exchange) async throws {
        for cookie in SessionCookies(exchange).all {
            let sessions = try await platform.store.sessions(cookies: [cookie], now: exchange.now)
            for var session in sessions where session.userID == flow.identity?.userID {
                session.hasSecondFactor = true
                try await platform.store.save(session, cookie: cookie)
            }
        }
    }
}

extension SignInFlow.Challenge {
    /// The code that comes in the place of a password.
    static func first(_ user: User) -> Self {
        .init(userID: user.id, address: user.userPrincipalName, channel: .email, isSecondFactor: false)
    }
}

extension EntraError {
    /// What an application hears that asked for no page.
    static let secondFactorInteraction = EntraError(
        number: 50_076,
        error: "interaction_required",
        message: "A policy requires a second factor to access the resource."
    )
}
