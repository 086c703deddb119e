// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes and challenges, as all endpoints of native authentication need them.
struct NativeContinuations: Sendable {
    let journeys: NativeJourneys<NativeJourney>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    // MARK: Continuation tokens

    /// Begins a journey.
    func begin(
        _ flow: NativeJourney.Flow,
        for request: NativeRequest,
        userName: String,
        user: User?,
        challengeTypes: Set<NativeJourney.ChallengeType>,
        draft: NativeJourney.Draft = .init()
    ) -> Secret {
        var journey = NativeJourney(
            id: UUID().uuidString,
            flow: flow,
            tenantID: request.tenant.id,
            clientID: request.client.clientID,
            userName: userName,
            challengeTypes: challengeTypes,
            capabilities: request.capabilities
        )
        journey.userID = user?.id
        journey.draft = draft
        return journeys.begin(journey, now: request.now)
    }

    /// The journey of the request's continuation token.
    ///
    /// `flows`: Which flows may be going on; a token of another one counts as unknown.
    /// `error`: The OAuth error for a token that is not valid here; it differs between the endpoints.
    func find(
        _ request: NativeRequest,
        at steps: Set<NativeJourney.Step>,
        flows: Set<NativeJourney.Flow> = [.signIn],
        error: String = "invalid_request"
    ) throws(EntraError) -> NativeJourneys<NativeJourney>.Continuation {
        let invalid = EntraError.invalidContinuation(number: settings.invalidContinuationNumber, error: error)
        guard let token = request["continuation_token"] else { throw invalid }
        let lookup = journeys.find(Secret(token), now: request.now) { journey, step in
            steps.contains(step) && flows.contains(journey.flow) && journey.tenantID == request.tenant.id
                && journey.clientID.lowercased() == request.client.clientID.lowercased()
        }
        switch lookup {
        case .invalid: throw invalid
        case .expired: throw .expiredContinuation(number: settings.expiredContinuationNumber)
        case .valid(let continuation): return continuation
        }
    }

    /// The journey of a token at the endpoints of sign-in. Only a sign-in has first factors here: a code that was sent
    /// for a sign-up or a reset must not sign anybody in. All flows share the later steps.
    func findAtSignIn(
        _ request: NativeRequest,
        at steps: Set<NativeJourney.Step>,
        error: String = "invalid_request"
    ) throws(EntraError) -> NativeJourneys<NativeJourney>.Continuation {
        let continuation = try find(
            request,
            at: steps,
            flows: [.signIn, .signUp, .resetPassword],
            error: error
        )
        let isFirstFactor = [.started, .codeSent, .passwordAsked].contains(continuation.step)
        guard continuation.journey.flow == .signIn || !isFirstFactor else {
            throw .invalidContinuation(number: settings.invalidContinuationNumber, error: error)
        }
        return continuation
    }

    /// Takes the journey on; the old token is used up unless it is kept.
    ///
    /// - Throws: The error of a token that is not valid, when another request was quicker.
    func advance(
        _ continuation: NativeJourneys<NativeJourney>.Continuation,
        to step: NativeJourney.Step,
        keepsToken: Bool = false,
        for request: NativeRequest
    ) throws(EntraError) -> Secret {
        guard
            let token = journeys.advance(
                continuation,
                to: step,
                keepsToken: keepsToken,
                now: request.now
            )
        else { throw .invalidContinuation(number: settings.invalidContinuationNumber) }
        return token
    }

    /// Ends the journey, because its tokens are about to be issued.
    func end(_ continuation: NativeJourneys<NativeJourney>.Continuation) throws(EntraError) {
        guard journeys.end(continuation) else {
            throw .invalidContinuation(number: settings.invalidContinuationNumber)
        }
    }

    // MARK: Codes

    /// Makes a code, puts it into the outbox and into the journey; an earlier code no longer works.
    ///
    /// - Throws: AADSTS701014 when the address was sent too many.
    func send(
        _ purpose: OutboxMessage.Purpose,
        to address: String,
        by channel: StrongMethod.Channel,
        in continuation: inout NativeJourneys<NativeJourney>.Continuation,
        for request: NativeRequest
    ) throws(EntraError) {
        continuation.journey.code = try codes.send(purpose, to: address, by: channel, at: request.now)
    }

    /// Compares the request's code with the one that was sent; wrong tries are counted.
    ///
    /// - Throws: AADSTS50181 for a wrong code and after too many of them, AADSTS50184 for an expired one.
    func checkCode(
        _ continuation: NativeJourneys<NativeJourney>.Continuation,
        for request: NativeRequest
    ) throws(EntraError) {
        guard let typed = request["oob"].map({ Secret($0) }) else { throw .invalidParameter("oob") }
        let now = request.now
        let allowed = settings.wrongCodesAllowed
        let problem = journeys.update(continuation.journey) { journey -> EntraError? in
            guard var code = journey.code else { return .wrongCode }
            let problem = code.check(typed, allowed: allowed, now: now)
            journey.code = code
            return problem
        }
        switch problem {
        case .none: throw .invalidContinuation(number: settings.invalidContinuationNumber)
        case .some(.some(let error)): throw error
        case .some(.none): return
        }
    }

    /// The response that a code was sent, with the address hidden.
    func codeSentResponse(
        _ token: Secret,
        to address: String,
        by channel: StrongMethod.Channel,
        label: String = "challenge_target_label",
        isMasked: Bool = true
    ) throws -> Response {
        try .native(
            token,
            members: [
                "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": .string(channel.rawValue),
                label: .string(isMasked ? StrongMethod.masked(address) : address),
                "code_length": .int(settings.codeLength), "interval": .int(settings.resendInterval.wholeSeconds),
            ]
        )
    }
}
