// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `…/challenge` and `…/verify` of a first factor.
struct FlowFirstFactor: Sendable {
    let passwords: PasswordCheck
    let steps: FlowSteps
    let progress: FlowProgress

    /// Requests the password, or sends a code.
    func challenge(_ request: FlowCall, type: String, id: String) throws -> Response {
        var request = request
        let method = try request.offered(type: type, id: id)
        if method.isPassword {
            request.flow.chosen = method
            return try steps.answer(.password(method), to: request, at: .passwordAsked)
        }
        if request.user == nil, request.flow.purpose != .signUp {
            // No user has this name, so no code is sent. The response must not reveal that to the app.
            request.flow.chosen = method
        } else {
            try steps.send(request.flow.outboxPurpose, to: method, in: &request)
        }
        return try steps.answer(.code(to: method, length: steps.settings.codeLength), to: request, at: .codeSent)
    }

    /// Checks the password or the code.
    func verify(_ request: FlowCall, type: String, id: String) async throws -> Response {
        var request = request
        let method = try request.offered(type: type, id: id)
        if method.isPassword {
            guard request.step != .codeSent else { throw steps.invalidContinuation }
            let password = Secret(try request.text("password"))
            if let problem = passwords.problem(of: request.user, typing: password, at: request.now) { throw problem }
        } else {
            guard request.step == .codeSent, request.flow.chosen == method else { throw steps.invalidContinuation }
            try steps.checkCode("otp", of: &request)
            // A reset unlocks the account.
            if request.user?.customer?.isLocked == true, request.flow.purpose != .resetPassword {
                throw EntraError.lockedUser
            }
        }
        if let answer = try progress.fallback(of: request, at: .afterFirst) { return answer }
        return try await progress.next(request)
    }
}

extension NativeAuthV2Flow {
    /// The purpose of a code for the first factor.
    fileprivate var outboxPurpose: OutboxMessage.Purpose {
        switch purpose {
        case .signIn: .signIn
        case .signUp: userID == nil ? .signUp : .signIn
        case .resetPassword: .passwordReset
        }
    }
}
