// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension ServerEnvironment {
    /// Runs a call for a token that the memory could not serve. The call gets a span, and the metrics count it.
    package func observed(
        _ flow: TokenFlow,
        call: @Sendable () async throws(MSALTokenError) -> MSALTokenResult
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let start = time.uptime
        return try await instruments.span(.acquireToken) { span throws(MSALTokenError) in
            span.set(flow: flow)
            let outcome = await Result { () async throws(MSALTokenError) in try await measured(call) }
            let origin = TokenSourceLabel(outcome)
            let request = ObservedRequest(flow: flow, origin: origin, duration: time.uptime - start)
            span.set(source: origin)
            switch outcome {
            case .success(let result):
                span.set(correlationID: result.correlationID)
                let remaining = Duration.seconds(Int64(result.expiresOn.timeIntervalSince1970) - time.wholeSeconds)
                instruments.count(request, because: RequestReason(result.reason), remaining: remaining)
            case .failure(let error):
                span.set(correlationID: error.correlationID)
                span.set(error: error)
                instruments.count(request, failing: error)
            }
            return try outcome.get()
        }
    }

    /// Runs a call that the memory could not serve. Its result or its error contains the durations.
    func measured(
        _ call: () async throws(MSALTokenError) -> MSALTokenResult
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let (outcome, durations) = await CallTimer.measuring(by: time) { await Result(catching: call) }
        switch outcome {
        case .success(var result):
            result.durations = durations
            return result
        case .failure(let error):
            var facts = error.facts
            facts.durations = durations
            throw MSALTokenError(error.kind, facts: facts)
        }
    }

    /// Makes the proof of a client in a span, and measures the time.
    package func observed<Proof: Sendable>(
        _ credential: ObservedCredential,
        making make: @Sendable () async throws(MSALTokenError) -> Proof
    ) async throws(MSALTokenError) -> Proof {
        let start = time.uptime
        return try await instruments.span(.sign) { span throws(MSALTokenError) in
            span.set(credential: credential)
            defer { instruments.note(credential, after: time.uptime - start) }
            return try await make()
        }
    }

    /// Runs some work in the background of a call, in a span that is linked to the call.
    package func behind(_ work: @escaping @Sendable () async -> Void) { background.run(instruments.linked(work)) }
}

extension TokenSourceLabel {
    /// The origin of a token that was not in the memory when the call began.
    init(_ outcome: Result<MSALTokenResult, MSALTokenError>) {
        switch outcome {
        case .success(let result):
            switch result.source {
            case .cache: self = .l2
            case .service: self = .service
            case .cacheExtended: self = .extended
            }
        case .failure: self = .error
        }
    }
}

extension RequestReason {
    init(_ reason: MSALTokenResult.Reason?) {
        switch reason {
        case .noCachedToken: self = .noToken
        case .expired: self = .expired
        case .forcedRefresh: self = .forced
        case .claims: self = .claims
        case nil: self = .none
        }
    }
}
