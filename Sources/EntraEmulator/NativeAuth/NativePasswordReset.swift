// Licensed under the MIT License. See LICENSE.

import Hummingbird

/// `/resetpassword/v1.0/start`, `challenge`, `continue`, `submit` and `poll_completion`.
struct NativePasswordReset: Sendable {
    let platform: Platform

    private var steps: NativeSteps { NativeSteps(platform: platform) }
    private var settings: NativeAuthSettings { platform.native.settings }

    /// Learns whose password is forgotten.
    func start(_ request: NativeRequest) async throws -> Response {
        let types = try request.challengeTypes(settings)
        guard let name = request["username"] else { throw EntraError.invalidParameter("username") }
        guard let user = try await platform.store.customer(named: name, in: request.tenant) else {
            throw EntraError.customerNotFound
        }
        switch user.customer?.credential ?? .password {
        case .socialAccount: return try .nativeRedirect("The account belongs to another identity provider")
        case .emailCode: throw EntraError.noPasswordToReset
        case .password: break
        }
        guard request.policy.allowsPasswordReset else { throw EntraError.noPasswordToReset }
        guard types.contains(.oob) else { return try .nativeRedirect("Client is missing oob challenge type") }
        return try .native(
            steps.begin(.resetPassword, request, userName: name, user: user, challengeTypes: types)
        )
    }

    /// Sends a code.
    func challenge(_ request: NativeRequest) throws -> Response {
        let announced = request["challenge_type"] == nil ? nil : try request.challengeTypes(settings)
        var continuation = try steps.continuation(request, at: [.started, .codeSent], flows: [.resetPassword])
        guard (announced ?? continuation.journey.challengeTypes).contains(.oob) else {
            return try .nativeRedirect("Client is missing oob challenge type")
        }
        let address = continuation.journey.userName
        try steps.send(.passwordReset, to: address, .email, &continuation, request)
        let isRepeated = continuation.step == .codeSent
        let token = try steps.advance(continuation, to: .codeSent, keepsToken: isRepeated, request)
        return try steps.codeSent(token, to: address, .email)
    }

    /// Takes the code.
    func proceed(_ request: NativeRequest) throws -> Response {
        guard let grantType = request["grant_type"] else { throw EntraError.invalidParameter("grant_type") }
        guard grantType == "oob" else { throw EntraError.unusableGrantType }
        var continuation = try steps.continuation(request, at: [.codeSent], flows: [.resetPassword])
        try steps.checkCode(continuation, request)
        continuation.journey.code = nil
        let token = try steps.advance(continuation, to: .resetAllowed, request)
        return try .native(token, ["expires_in": .int(settings.continuationLifetime.wholeSeconds)])
    }

    /// Takes the new password.
    func submit(_ request: NativeRequest) async throws -> Response {
        var continuation = try steps.continuation(request, at: [.resetAllowed], flows: [.resetPassword])
        guard let password = request["new_password"].map({ Secret($0) }) else {
            throw EntraError.invalidParameter("new_password")
        }
        guard let user = try await platform.store.user(id: continuation.journey.userID ?? "") else {
            throw EntraError.customerNotFound
        }
        let violation = PasswordPolicy.violation(
            of: password,
            userName: user.userPrincipalName,
            tenant: request.tenant,
            user: user
        )
        if let violation { throw EntraError.badPassword(violation) }
        continuation.journey.draft.password = password
        continuation.journey.unfinishedPolls = settings.unfinishedPolls
        let token = try steps.advance(continuation, to: .resetSubmitted, request)
        return try .native(token, ["poll_interval": .int(settings.pollInterval.wholeSeconds)])
    }

    /// Says whether the new password counts yet.
    func poll(_ request: NativeRequest) async throws -> Response {
        var continuation = try steps.continuation(request, at: [.resetSubmitted], flows: [.resetPassword])
        guard var user = try await platform.store.user(id: continuation.journey.userID ?? ""),
            let password = continuation.journey.draft.password
        else { throw EntraError.customerNotFound }
        let outcome = user.customer?.resetOutcome ?? .succeeds
        let isUnfinished = platform.native.journeys.update(continuation.journey) { journey in
            journey.unfinishedPolls -= 1
            return journey.unfinishedPolls >= 0
        }
        if outcome == .neverEnds || isUnfinished == true { return try .json(["status": "in_progress"]) }
        continuation.journey.draft.password = nil
        if outcome == .fails {
            let token = try steps.advance(continuation, to: .resetAllowed, request)
            return try .native(token, ["status": "failed"])
        }
        let token = try steps.advance(continuation, to: .finished, request)
        user.replacePassword(with: password, at: request.now)
        try await platform.store.save(user)
        platform.failures.forget(user.id)
        return try .native(
            token,
            ["status": "succeeded", "expires_in": .int(settings.continuationLifetime.wholeSeconds)]
        )
    }
}
