// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes, and responses, as needed by all steps of a flow.
struct FlowSteps: Sendable {
    let flows: NativeAuthFlowStore<NativeAuthV2Flow>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    /// The error for an invalid token.
    var invalidContinuation: FlowProblem { .invalidContinuation(number: settings.invalidContinuationNumber) }

    // MARK: Continuation tokens

    /// The flow of a continuation token.
    ///
    /// `flow`: The ID in the address; `nil` allows every flow.
    func find(
        _ token: String?,
        in tenant: Tenant,
        flow id: String?,
        at now: Date
    ) throws(FlowProblem) -> NativeAuthFlowStore<NativeAuthV2Flow>.Continuation {
        guard let token else { throw invalidContinuation }
        let lookup = flows.find(Secret(token), now: now) { flow, _ in
            flow.tenantID == tenant.id && (id ?? flow.id) == flow.id
        }
        switch lookup {
        case .invalid: throw invalidContinuation
        case .expired: throw .expiredContinuation(number: settings.expiredContinuationNumber)
        case .valid(let continuation): return continuation
        }
    }

    /// Advances the flow to a step, whose token is in the response. The token of the request is invalidated.
    func answer(
        _ answer: FlowResponse,
        to request: FlowCall,
        at step: NativeAuthV2Flow.Step,
        isResumed: Bool = false
    ) throws -> Response {
        guard let token = flows.advance(request.continuation, to: step, now: request.now) else {
            throw invalidContinuation
        }
        return try answer.response(token, links: request.links, branches: request.branches, isResumed: isResumed)
    }

    /// Ends the flow.
    func end(_ request: FlowCall) throws(FlowProblem) {
        guard flows.end(request.continuation) else { throw invalidContinuation }
    }

    // MARK: Codes

    /// Sends a code to the chosen method, and invalidates an earlier code.
    ///
    /// - Throws: AADSTS550024, AADSTS701014, or AADSTS901001 if the method cannot receive codes.
    func send(_ purpose: OutboxMessage.Purpose, to method: FlowMethod, in request: inout FlowCall) throws(EntraError) {
        guard let contact = method.contact else { throw .invalidContact }
        if contact.isBlocked { throw .blockedContact }
        request.flow.chosen = method
        request.flow.code = try codes.send(purpose, to: contact.address, by: contact.channel, at: request.now)
    }

    /// Compares a code with the one that was sent, and counts failed attempts. The correct code works once.
    ///
    /// `name`: The member with the code.
    /// - Throws: AADSTS50181 for a wrong code or too many attempts, AADSTS50184 for an expired code.
    func checkCode(_ name: String, of request: inout FlowCall) throws {
        let typed = Secret(try request.text(name))
        let allowed = settings.wrongCodesAllowed
        guard try flows.checkCode(typed, of: request.flow, allowed: allowed, now: request.now) else {
            throw invalidContinuation
        }
        request.flow.code = nil
    }
}
