// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Continuation tokens, codes, and challenges, as needed by all endpoints of native authentication.
struct NativeContinuations: Sendable {
    let journeys: NativeJourneys<NativeJourney>
    let codes: OneTimeCodes

    var settings: NativeAuthSettings { codes.settings }

    /// The error for an invalid token.
    var invalidContinuation: EntraError { .invalidContinuation(number: settings.invalidContinuationNumber) }

    // MARK: Continuation tokens

    /// Starts a flow.
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

    /// The flow of the request's continuation token.
    ///
    /// `flows`: The flows that are allowed; a token of another one counts as unknown. By default, all of them.
    /// `error`: The OAuth error for an invalid token, which differs between the endpoints.
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

    /// The flow of a token at the sign-in endpoints. Only a sign-in has first factors here, because a code that was
    /// sent for a sign-up or a reset must not sign a user in. All flows share the later steps.
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

    /// Advances the flow; the old token is invalidated unless it is kept.
    ///
    /// - Throws: The error for an invalid token, if another request was faster.
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

    /// Ends the flow, because its tokens are about to be issued.
    func end(_ continuation: NativeJourneys<NativeJourney>.Continuation) throws(EntraError) {
        guard journeys.end(continuation) else { throw invalidContinuation }
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

    /// Compares the request's code with the one that was sent, and counts failed attempts.
    ///
    /// - Throws: AADSTS50181 for a wrong code or too many attempts, AADSTS50184 for an expired code.
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
