// Licensed under the MIT License. See LICENSE.

import Hummingbird

/// `…/challenge`, `…/riskverify`, and `…/verify` of a second factor.
struct FlowSecondFactor: Sendable {
    let steps: FlowSteps
    let progress: FlowProgress

    /// Sends a code. If the branch has a risk check, a phone gets its first code after that check.
    func challenge(_ request: FlowCall, type: String, id: String) throws -> Response {
        var request = request
        let method = try request.offered(type: type, id: id)
        if method.contact?.isBlocked == true { throw EntraError.blockedContact }
        let isNew = request.step == .secondFactorOffered
        guard isNew, method.contact?.channel == .sms, request.branches.riskCheck != .off else {
            return try send(to: method, in: request)
        }
        request.flow.chosen = method
        return try steps.answer(.riskCheck(of: method), to: request, at: .secondFactorAtRisk)
    }

    /// Sends the code after the phone has passed the risk check.
    func riskVerify(_ request: FlowCall) throws -> Response {
        var request = request
        guard let method = request.flow.chosen else { throw steps.invalidContinuation }
        guard try request.passRiskCheck() else {
            return try steps.answer(.riskCheck(of: method), to: request, at: .secondFactorAtRisk)
        }
        return try send(to: method, in: request)
    }

    /// Checks the code.
    func verify(_ request: FlowCall, type: String, id: String) async throws -> Response {
        var request = request
        guard try request.offered(type: type, id: id) == request.flow.chosen else { throw steps.invalidContinuation }
        try steps.checkCode("otp", of: &request)
        request.flow.hasSecondFactor = true
        return try await progress.next(request)
    }

    private func send(to method: FlowMethod, in request: FlowCall) throws -> Response {
        var request = request
        try steps.send(.secondFactor, to: method, in: &request)
        return try steps.answer(
            .code(to: method, length: steps.settings.codeLength),
            to: request,
            at: .secondFactorSent
        )
    }
}

extension FlowResponse {
    /// Requests a risk check of a phone.
    static func riskCheck(of method: FlowMethod) -> FlowResponse {
        FlowResponse(action: .riskverify, links: [(.riskverify, .riskVerify(type: method.type, id: method.id))])
    }
}
