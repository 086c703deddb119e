// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `signin/start`, `signup/start`, and `resetpassword/start`: the app identifies the customer and starts the flow.
struct FlowStart: Sendable {
    let store: EmulatorStore
    let steps: FlowSteps
    let progress: FlowProgress

    /// Starts a sign-in.
    func signIn(_ request: FlowCall) async throws -> Response {
        var request = request
        request.flow.purpose = .signIn
        request.flow.userName = try request.text("username")
        guard let user = try await store.customer(named: request.flow.userName, in: request.tenant) else {
            return try hideMissingAccount(request)
        }
        return try offerFirstFactors(of: user, in: request)
    }

    /// Starts a sign-up. If the branch allows it, an existing account is signed in instead.
    func signUp(_ request: FlowCall) async throws -> Response {
        var request = request
        let name = try request.text("username")
        guard StrongMethod.isEmailAddress(name) else { throw EntraError.invalidParameter("username") }
        request.flow.purpose = .signUp
        request.flow.userName = name
        guard let user = try await store.user(named: name) else {
            if let answer = try progress.fallback(of: request, at: .start) { return answer }
            return try offer([.address(name)], in: request)
        }
        let mayGoOn = request.branches.existingAccountAtSignUp == .continueAsSignIn
        guard mayGoOn, user.homeTenantID == request.tenant.id else { throw EntraError.customerExists }
        return try offerFirstFactors(of: user, in: request)
    }

    /// Starts a password reset.
    func resetPassword(_ request: FlowCall) async throws -> Response {
        var request = request
        let name = try request.text("username")
        request.flow.purpose = .resetPassword
        request.flow.userName = name
        guard let user = try await store.customer(named: name, in: request.tenant) else {
            return try hideMissingAccount(request)
        }
        request.adopt(user)
        if let answer = try redirectToBrowser(request) { return answer }
        guard user.customer?.credential != .emailCode, request.policy.allowsPasswordReset else {
            throw EntraError.noPasswordToReset
        }
        let types = (request.branches[\.firstFactors] ?? []).filter { $0 != FlowMethod.password }
        return try offer(
            FlowMethod.methods(of: types.isEmpty ? ["email"] : types, for: nil, named: name).map { method in
                // A registered phone also receives the code of a reset.
                guard method.contact == nil else { return method }
                return FlowMethod.methods(of: [method.type], for: user, named: name).first ?? method
            },
            in: request
        )
    }

    /// Reports that there is no account with the name, or offers a code that is never sent.
    private func hideMissingAccount(_ request: FlowCall) throws -> Response {
        guard request.branches.hidesUnknownUsers else { throw EntraError.customerNotFound }
        return try offer([.address(request.flow.userName)], in: request)
    }

    private func offerFirstFactors(of user: User, in request: FlowCall) throws -> Response {
        var request = request
        request.adopt(user)
        if let answer = try redirectToBrowser(request) { return answer }
        let usual = user.customer?.credential == .emailCode ? ["email"] : [FlowMethod.password]
        let types = request.branches[\.firstFactors] ?? usual
        return try offer(
            types.flatMap { type in
                // The address of the name, even if another one is registered as a second factor.
                type == "email" ? [.address(user.userPrincipalName)] : [FlowMethod(type: type, of: user.id)]
            },
            in: request
        )
    }

    /// An account of another provider always requires the browser.
    private func redirectToBrowser(_ request: FlowCall) throws -> Response? {
        if let answer = try progress.fallback(of: request, at: .start) { return answer }
        guard request.user?.customer?.credential == .socialAccount else { return nil }
        let fallback = request.branches.fallback
        return try progress.redirectToBrowser(request, as: fallback == .off ? .state : fallback)
    }

    private func offer(_ methods: [FlowMethod], in request: FlowCall) throws -> Response {
        var request = request
        request.flow.offered = methods
        let branches = request.branches
        if let password = methods.first, methods.count == 1, password.isPassword, !branches.passwordChallengeLink,
            !branches.extraMethods
        {
            request.flow.chosen = password
            return try steps.answer(.password(password), to: request, at: .passwordAsked)
        }
        let answer = FlowResponse.choose(.challenge, factor: "singleFactor", from: methods) { method in
            method.isPassword && !branches.passwordChallengeLink
                ? [(.verify, .verify(type: method.type, id: method.id))]
                : [(.challenge, .challenge(type: method.type, id: method.id))]
        }
        return try steps.answer(answer, to: request, at: .firstFactorOffered)
    }
}

extension FlowResponse {
    /// Requests the password.
    static func password(_ method: FlowMethod) -> FlowResponse {
        .ask(.verify, about: method, codeLength: nil, links: [(.verify, .verify(type: method.type, id: method.id))])
    }

    /// Requests the code that was sent.
    static func code(to method: FlowMethod, length: Int) -> FlowResponse {
        .ask(
            .verify,
            about: method,
            codeLength: length,
            links: [
                (.verify, .verify(type: method.type, id: method.id)),
                (.resend, .challenge(type: method.type, id: method.id)),
            ]
        )
    }
}
