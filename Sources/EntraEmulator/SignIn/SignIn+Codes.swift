// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// One-time codes on the pages: instead of a password, and as a second factor.
extension SignIn {
    /// Sends a code and asks for it.
    func challenge(
        _ challenge: SignInFlow.Challenge,
        in flow: inout SignInFlow,
        exchange: Exchange
    ) throws -> Response {
        flow.code = try codes.send(
            challenge.isRegistration ? .registration : challenge.isSecondFactor ? .secondFactor : .signIn,
            to: challenge.address,
            by: challenge.channel,
            at: exchange.now
        )
        return show(.code(challenge), in: &flow)
    }

    /// Checks the code, or sends another one.
    func typedCode(
        _ challenge: SignInFlow.Challenge,
        in flow: inout SignInFlow,
        exchange: Exchange
    ) async throws -> Response {
        if exchange.pressedButton == "resend" { return try self.challenge(challenge, in: &flow, exchange: exchange) }
        let typed = Secret((exchange.form["otc"] ?? "").filter { !$0.isWhitespace })
        let allowed = codes.settings.wrongCodesAllowed
        let problem =
            flow.code?.check(typed, allowed: allowed, now: exchange.now) ?? (flow.code == nil ? .wrongCode : nil)
        if let problem { return show(.code(challenge), in: &flow, problem: problem) }
        flow.code = nil
        guard var user = try await store.user(id: challenge.userID) else { return show(.userName, in: &flow) }
        guard user.isEnabled, !user.isLocked else {
            return show(.userName, in: &flow, problem: user.isEnabled ? .lockedUser : .disabledUser)
        }
        guard challenge.isSecondFactor else {
            return try await welcome(user, in: &flow, exchange: exchange)
        }
        if challenge.isRegistration {
            user.register(.init(id: UUID().text, channel: challenge.channel, address: challenge.address))
            try await store.save(user)
        }
        flow.identity?.hasSecondFactor = true
        let cookies = try await renewCookies(in: &flow, exchange: exchange)
        try await remember(flow, in: cookies, now: exchange.now)
        var response = try await proceed(&flow, exchange: exchange)
        cookies.set(on: &response, of: directory)
        return response
    }

    /// Stores the second factor in the browser's session, so that the next application does not ask for it again.
    private func remember(_ flow: SignInFlow, in cookies: SessionCookies, now: Date) async throws {
        for cookie in cookies.all {
            let sessions = try await store.sessions(cookies: [cookie], now: now)
            for var session in sessions where session.userID == flow.identity?.userID {
                session.hasSecondFactor = true
                try await store.save(session, cookie: cookie)
            }
        }
    }
}

extension SignInFlow.Challenge {
    /// The code that replaces a password.
    static func first(_ user: User) -> Self {
        .init(userID: user.id, address: user.userPrincipalName, channel: .email, isSecondFactor: false)
    }
}
