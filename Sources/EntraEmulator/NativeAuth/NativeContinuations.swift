// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes, and challenges, as needed by all endpoints of native authentication.
struct NativeContinuations: Sendable {
    let flows: NativeAuthFlowStore<NativeAuthFlow>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    /// The error for an invalid token.
    var invalidContinuation: EntraError { .invalidContinuation(number: settings.invalidContinuationNumber) }

    // MARK: Continuation tokens

    /// Starts a flow.
    func begin(
        _ purpose: NativeAuthFlow.Purpose,
        for request: NativeRequest,
        userName: String,
        user: User?,
        challengeTypes: Set<NativeAuthFlow.ChallengeType>,
        draft: NativeAuthFlow.Draft = .init()
    ) -> Secret {
        var flow = NativeAuthFlow(
            id: UUID().uuidString,
            purpose: purpose,
            tenantID: request.tenant.id,
            clientID: request.client.clientID,
            userName: userName,
            challengeTypes: challengeTypes,
            capabilities: request.capabilities
        )
        flow.userID = user?.id
        flow.draft = draft
        return flows.begin(flow, now: request.now)
    }

    /// The flow of the request's continuation token.
    ///
    /// `purposes`: The flows that are allowed; a token of another one counts as unknown. By default, all of them.
    /// `error`: The OAuth error for an invalid token, which differs between the endpoints.
    func find(
        _ request: NativeRequest,
        at steps: Set<NativeAuthFlow.Step>,
        purposes: Set<NativeAuthFlow.Purpose> = Set(NativeAuthFlow.Purpose.allCases),
        error: String = "invalid_request"
    ) throws(EntraError) -> NativeAuthFlowStore<NativeAuthFlow>.Continuation {
        let invalid = EntraError.invalidContinuation(number: settings.invalidContinuationNumber, error: error)
        guard let token = request["continuation_token"] else { throw invalid }
        let lookup = flows.find(Secret(token), now: request.now) { flow, step in
            steps.contains(step) && purposes.contains(flow.purpose) && flow.tenantID == request.tenant.id
                && flow.clientID.lowercased() == request.client.clientID.lowercased()
        }
        switch lookup {
        case .invalid: throw invalid
        case .expired: throw .expiredContinuation(number: settings.expiredContinuationNumber)
        case .valid(let continuation): return continuation
        }
    }

    /// The flow of a token at the sign-in endpoints. Only a sign-in has first factors here, because a code that was
    /// sent for a sign-up or a reset must not sign a user in. All flows share the later steps.
    func findAtSignIn(
        _ request: NativeRequest,
        at steps: Set<NativeAuthFlow.Step>,
        error: String = "invalid_request"
    ) throws(EntraError) -> NativeAuthFlowStore<NativeAuthFlow>.Continuation {
        let continuation = try find(request, at: steps, error: error)
        let isFirstFactor = [.started, .codeSent, .passwordAsked].contains(continuation.step)
        guard continuation.flow.purpose == .signIn || !isFirstFactor else {
            throw .invalidContinuation(number: settings.invalidContinuationNumber, error: error)
        }
        return continuation
    }

    /// Advances the flow; the old token is invalidated unless it is kept.
    ///
    /// - Throws: The error for an invalid token, if another request was faster.
    func advance(
        _ continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        to step: NativeAuthFlow.Step,
        keepsToken: Bool = false,
        for request: NativeRequest
    ) throws(EntraError) -> Secret {
        guard let token = flows.advance(continuation, to: step, keepsToken: keepsToken, now: request.now) else {
            throw invalidContinuation
        }
        return token
    }

    /// Ends the flow, because its tokens are about to be issued.
    func end(_ continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation) throws(EntraError) {
        guard flows.end(continuation) else { throw invalidContinuation }
    }

    // MARK: Codes

    /// Sends a code, and advances the flow to the step that waits for it. An earlier code is invalidated. If another
    /// code is requested, the token of the request remains valid in addition to the new one.
    ///
    /// The response masks the address, unless the user is registering it now.
    /// - Throws: AADSTS701014 if too many codes were sent to the address.
    func sendCode(
        _ purpose: OutboxMessage.Purpose,
        to address: String,
        by channel: StrongMethod.Channel,
        in continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        at step: NativeAuthFlow.Step,
        for request: NativeRequest
    ) throws -> Response {
        var continuation = continuation
        continuation.flow.code = try codes.send(purpose, to: address, by: channel, at: request.now)
        let token = try advance(continuation, to: step, keepsToken: continuation.step == step, for: request)
        let isNew = purpose == .registration
        return try .native(
            token,
            members: [
                "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": .string(channel.rawValue),
                isNew ? "challenge_target" : "challenge_target_label":
                    .string(isNew ? address : StrongMethod.masked(address)),
                "code_length": .int(settings.codeLength), "interval": .int(settings.resendInterval.wholeSeconds),
            ]
        )
    }

    /// Compares the request's code with the one that was sent, and counts failed attempts.
    ///
    /// - Throws: AADSTS50181 for a wrong code or too many attempts, AADSTS50184 for an expired code.
    func checkCode(
        _ continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        for request: NativeRequest
    ) throws(EntraError) {
        guard let typed = request["oob"].map({ Secret($0) }) else { throw .invalidParameter("oob") }
        let isKnown = try flows.checkCode(
            typed,
            of: continuation.flow,
            allowed: settings.wrongCodesAllowed,
            now: request.now
        )
        guard isKnown else { throw invalidContinuation }
    }
}
