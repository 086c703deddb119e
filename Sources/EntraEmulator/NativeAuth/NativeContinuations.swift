// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes and challenges, as all endpoints of native authentication need them.
struct NativeContinuations: Sendable {
    let journeys: NativeJourneys<NativeJourney>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    /// The error of a token that is not valid.
    var invalidContinuation: EntraError { .invalidContinuation(number: settings.invalidContinuationNumber) }

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
    /// `flows`: The flows that may be going on; a token of another one counts as unknown. Without it, all of them.
    /// `error`: The OAuth error for a token that is not valid here; it differs between the endpoints.
    func find(
        _ request: NativeRequest,
        at steps: Set<NativeJourney.Step>,
        flows: Set<NativeJourney.Flow> = Set(NativeJourney.Flow.allCases),
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
        let continuation = try find(request, at: steps, error: error)
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
        guard let token = journeys.advance(continuation, to: step, keepsToken: keepsToken, now: request.now) else {
            throw invalidContinuation
        }
        return token
    }

    /// Ends the journey, because its tokens are about to be issued.
    func end(_ continuation: NativeJourneys<NativeJourney>.Continuation) throws(EntraError) {
        guard journeys.end(continuation) else { throw invalidContinuation }
    }

    // MARK: Codes

    /// Sends a code, and takes the journey to the step that waits for it. An earlier code no longer works. Where another
    /// code is asked for, the token of the request stays good beside the new one.
    ///
    /// The response hides the address, unless the person is registering it now.
    /// - Throws: AADSTS701014 when the address was sent too many.
    func sendCode(
        _ purpose: OutboxMessage.Purpose,
        to address: String,
        by channel: StrongMethod.Channel,
        in continuation: NativeJourneys<NativeJourney>.Continuation,
        at step: NativeJourney.Step,
        for request: NativeRequest
    ) throws -> Response {
        var continuation = continuation
        continuation.journey.code = try codes.send(purpose, to: address, by: channel, at: request.now)
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

    /// Compares the request's code with the one that was sent; wrong tries are counted.
    ///
    /// - Throws: AADSTS50181 for a wrong code and after too many of them, AADSTS50184 for an expired one.
    func checkCode(
        _ continuation: NativeJourneys<NativeJourney>.Continuation,
        for request: NativeRequest
    ) throws(EntraError) {
        guard let typed = request["oob"].map({ Secret($0) }) else { throw .invalidParameter("oob") }
        let isKnown = try journeys.checkCode(
            typed,
            of: continuation.journey,
            allowed: settings.wrongCodesAllowed,
            now: request.now
        )
        guard isKnown else { throw invalidContinuation }
    }
}
