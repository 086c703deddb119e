// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `…/enroll`, `…/resend`, `…/riskverify`, and `…/activate`: the registration of a strong method.
///
/// This is the least documented part of V2 (docs/reference/Decisions.md#native-v2).
struct FlowRegistration: Sendable {
    let directory: ServedDirectory
    let steps: FlowSteps
    let progress: FlowProgress

    /// Accepts a contact and sends a code to it. By default, it is the address that the customer signs in with.
    func enroll(_ request: FlowCall, type: String) async throws -> Response {
        var request = request
        guard let offered = request.flow.offered.first(where: { $0.type.lowercased() == type }),
            let channel = StrongMethod.Channel(rawValue: offered.type)
        else { throw EntraError.invalidContact }
        let target = request.members["target"]?.string?.trimmingCharacters(in: .whitespaces)
        guard let address = target ?? offered.contact?.address, StrongMethod.isPlausible(address, for: channel) else {
            throw EntraError.invalidContact
        }
        guard !directory.isBlockedContact(address) else { throw EntraError.blockedContact }
        let method = FlowMethod(StrongMethod(id: UUID.random().text, channel: channel, address: address))
        request.flow.chosen = method
        let isKnown = channel == .email && address.lowercased() == request.flow.userName.lowercased()
        if isKnown, !request.branches.registrationWords.knownContactNeedsCode { return try await complete(request) }
        guard channel == .sms, request.branches.riskCheck != .off else { return try send(to: method, in: request) }
        return try steps.answer(.riskCheck(of: method), to: request, at: .registrationAtRisk)
    }

    /// Sends the code after the phone has passed the risk check.
    func riskVerify(_ request: FlowCall) throws -> Response {
        var request = request
        let method = try chosen(in: request)
        guard try request.passRiskCheck() else {
            return try steps.answer(.riskCheck(of: method), to: request, at: .registrationAtRisk)
        }
        return try send(to: method, in: request)
    }

    /// Sends another code.
    func resend(_ request: FlowCall, type: String) throws -> Response {
        let method = try chosen(in: request)
        guard method.type == type else { throw EntraError.invalidContact }
        return try send(to: method, in: request)
    }

    /// Checks the code. `member`: Its name, which depends on the terms of the registration.
    func activate(_ request: FlowCall, type: String, member: String) async throws -> Response {
        var request = request
        guard try chosen(in: request).type == type else { throw EntraError.invalidContact }
        try steps.checkCode(member, of: &request)
        return try await complete(request)
    }

    private func chosen(in request: FlowCall) throws(FlowProblem) -> FlowMethod {
        guard let method = request.flow.chosen else { throw steps.invalidContinuation }
        return method
    }

    private func send(to method: FlowMethod, in request: FlowCall) throws -> Response {
        var request = request
        try steps.send(.registration, to: method, in: &request)
        let (action, check): (FlowResponse.Action, (FlowRelation, FlowStepAddress)) =
            switch request.branches.registrationWords.check {
            case .activate: (.activate, (.activate, .activate(type: method.type)))
            case .verify: (.verify, (.verify, .verify(type: method.type, id: method.id)))
            }
        let links = [check, (.resend, .resend(type: method.type))]
        let answer = FlowResponse.ask(action, about: method, codeLength: steps.settings.codeLength, links: links)
        return try steps.answer(answer, to: request, at: .registrationSent)
    }

    /// The verified contact counts as a second factor.
    private func complete(_ request: FlowCall) async throws -> Response {
        var request = request
        request.flow.newMethod = request.flow.chosen?.contact
        request.flow.hasSecondFactor = true
        return try await progress.next(request)
    }
}
