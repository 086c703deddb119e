// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `/resetpassword/v1.0/start`, `challenge`, `continue`, `submit`, and `poll_completion`.
struct NativePasswordReset: Sendable {
    let store: EmulatorStore
    let failures: FailedSignIns
    let continuations: NativeContinuations

    private var settings: NativeAuthSettings { continuations.settings }

    /// Starts a password reset.
    func start(_ request: NativeRequest) async throws -> Response {
        let types = try request.challengeTypes(settings: settings)
        guard let name = request["username"] else { throw EntraError.invalidParameter("username") }
        guard let user = try await store.customer(named: name, in: request.tenant) else {
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
            continuations.begin(.resetPassword, for: request, userName: name, user: user, challengeTypes: types)
        )
    }

    /// Sends a code.
    func challenge(_ request: NativeRequest) throws -> Response {
        let announced = request["challenge_type"] == nil ? nil : try request.challengeTypes(settings: settings)
        let continuation = try continuations.find(request, at: [.started, .codeSent], purposes: [.resetPassword])
        guard (announced ?? continuation.flow.challengeTypes).contains(.oob) else {
            return try .nativeRedirect("Client is missing oob challenge type")
        }
        let address = continuation.flow.userName
        return try continuations.sendCode(
            .passwordReset,
            to: address,
            by: .email,
            in: continuation,
            at: .codeSent,
            for: request
        )
    }

    /// Checks the code.
    func proceed(_ request: NativeRequest) throws -> Response {
        guard let grantType = request["grant_type"] else { throw EntraError.invalidParameter("grant_type") }
        guard grantType == "oob" else { throw EntraError.unusableGrantType }
        var continuation = try continuations.find(request, at: [.codeSent], purposes: [.resetPassword])
        try continuations.checkCode(continuation, for: request)
        continuation.flow.code = nil
        let token = try continuations.advance(continuation, to: .resetAllowed, for: request)
        return try .native(token, members: ["expires_in": .int(settings.continuationLifetime.wholeSeconds)])
    }

    /// Accepts the new password.
    func submit(_ request: NativeRequest) async throws -> Response {
        var continuation = try continuations.find(request, at: [.resetAllowed], purposes: [.resetPassword])
        guard let password = request["new_password"].map({ Secret($0) }) else {
            throw EntraError.invalidParameter("new_password")
        }
        guard let user = try await store.user(id: continuation.flow.userID ?? "") else {
            throw EntraError.customerNotFound
        }
        let violation = PasswordPolicy.violation(
            of: password,
            userName: user.userPrincipalName,
            tenant: request.tenant,
            user: user
        )
        if let violation { throw EntraError.badPassword(violation) }
        continuation.flow.draft.password = password
        continuation.flow.unfinishedPolls = settings.unfinishedPolls
        let token = try continuations.advance(continuation, to: .resetSubmitted, for: request)
        return try .native(token, members: ["poll_interval": .int(settings.pollInterval.wholeSeconds)])
    }

    /// Responds whether the new password is valid yet.
    func poll(_ request: NativeRequest) async throws -> Response {
        var continuation = try continuations.find(request, at: [.resetSubmitted], purposes: [.resetPassword])
        guard var user = try await store.user(id: continuation.flow.userID ?? ""),
            let password = continuation.flow.draft.password
        else { throw EntraError.customerNotFound }
        let outcome = user.customer?.resetOutcome ?? .succeeds
        let isUnfinished = continuations.flows.update(continuation.flow) { flow in
            flow.unfinishedPolls -= 1
            return flow.unfinishedPolls >= 0
        }
        if outcome == .neverEnds || isUnfinished == true { return .json(["status": "in_progress"]) }
        continuation.flow.draft.password = nil
        if outcome == .fails {
            let token = try continuations.advance(continuation, to: .resetAllowed, for: request)
            return try .native(token, members: ["status": "failed"])
        }
        let token = try continuations.advance(continuation, to: .finished, for: request)
        user.replacePassword(with: password, at: request.now)
        try await store.save(user)
        failures.forget(user.id)
        return try .native(
            token,
            members: ["status": "succeeded", "expires_in": .int(settings.continuationLifetime.wholeSeconds)]
        )
    }
}
