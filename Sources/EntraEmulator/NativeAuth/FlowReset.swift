// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `auth/methods/password/update` and `pollUpdate`: the new password of a reset.
struct FlowReset: Sendable {
    let steps: FlowSteps
    let progress: FlowProgress

    /// Accepts the new password, which becomes valid when the flow ends.
    func update(_ request: FlowCall) async throws -> Response {
        var request = request
        let password = Secret(try request.text("newPassword"))
        guard let user = request.user else { throw EntraError.customerNotFound }
        let violation = PasswordPolicy.violation(
            of: password,
            userName: user.userPrincipalName,
            tenant: request.tenant,
            user: user
        )
        if let violation { throw FlowProblem.badPassword(violation) }
        request.flow.newPassword = password
        request.flow.unfinishedPolls = steps.settings.unfinishedPolls
        guard polls(of: request) == .skipped else { return try poll(request) }
        request.flow.hasPolled = true
        return try await progress.next(request)
    }

    /// Responds whether the new password is valid yet.
    func pollUpdate(_ request: FlowCall) async throws -> Response {
        var request = request
        switch polls(of: request) {
        case .fails: throw FlowProblem.resetFailed
        case .hangs: return try poll(request)
        case .ends, .skipped:
            request.flow.unfinishedPolls -= 1
            if request.flow.unfinishedPolls >= 0 { return try poll(request) }
            request.flow.hasPolled = true
            return try await progress.next(request)
        }
    }

    /// Tells the app to poll again.
    private func poll(_ request: FlowCall) throws -> Response {
        var answer = FlowResponse(action: .poll, links: [(.poll, .poll)])
        if request.branches.announcesPollInterval {
            answer.members["pollInterval"] = .int(Int(steps.settings.pollInterval.seconds * 1_000))
        }
        return try steps.answer(answer, to: request, at: .newPasswordSubmitted)
    }

    private func polls(of request: FlowCall) -> NativeAuthV2Settings.Polls {
        if let chosen = request.branches[\.polls] { return chosen }
        return switch request.user?.customer?.resetOutcome ?? .succeeds {
        case .succeeds: .ends
        case .fails: .fails
        case .neverEnds: .hangs
        }
    }
}
