// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes and answers, as all steps of a flow need them.
struct FlowSteps: Sendable {
    let flows: NativeJourneys<NativeFlow>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    /// The error of a token that is not valid.
    var invalidContinuation: FlowProblem { .invalidContinuation(number: settings.invalidContinuationNumber) }

    // MARK: Continuation tokens

    /// The flow of a continuation token.
    ///
    /// `flow`: The id that the address names; `nil` fits every flow.
    func find(
        _ token: String?,
        in tenant: Tenant,
        flow id: String?,
        at now: Date
    ) throws(FlowProblem) -> NativeJourneys<NativeFlow>.Continuation {
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

    /// Takes the flow to a step, whose token is in the answer. The token of the request is used up.
    func answer(
        _ answer: FlowAnswer,
        to request: FlowCall,
        at step: NativeFlow.Step,
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

    /// Sends a code to the chosen method; an earlier code no longer works.
    ///
    /// - Throws: AADSTS550024, AADSTS701014, or AADSTS901001 for a method that gets no codes.
    func send(_ purpose: OutboxMessage.Purpose, to method: FlowMethod, in request: inout FlowCall) throws(EntraError) {
        guard let contact = method.contact else { throw .invalidContact }
        if contact.isBlocked { throw .blockedContact }
        request.flow.chosen = method
        request.flow.code = try codes.send(purpose, to: contact.address, by: contact.channel, at: request.now)
    }

    /// Compares a code with the one that was sent; wrong tries are counted. The right one works once.
    ///
    /// `name`: The member with the code.
    /// - Throws: AADSTS50181 for a wrong code and after too many of them, AADSTS50184 for an expired one.
    func checkCode(_ name: String, of request: inout FlowCall) throws {
        let typed = Secret(try request.text(name))
        let allowed = settings.wrongCodesAllowed
        guard try flows.checkCode(typed, of: request.flow, allowed: allowed, now: request.now) else {
            throw invalidContinuation
        }
        request.flow.code = nil
    }
}
