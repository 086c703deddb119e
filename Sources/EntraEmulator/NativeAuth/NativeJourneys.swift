// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The native journeys under way and the continuation tokens that stand for them. They live in memory.
final class NativeJourneys: Sendable {
    private struct Ticket {
        let journeyID: String
        let step: NativeJourney.Step
        let expiresAt: Date
    }

    private struct State {
        var journeys: [String: NativeJourney] = [:]
        /// By the digest of the continuation token.
        var tickets: [String: Ticket] = [:]

        mutating func end(_ journeyID: String) {
            journeys[journeyID] = nil
            tickets = tickets.filter { $0.value.journeyID != journeyID }
        }
    }

    private let state = Mutex(State())
    private let lifetime: Duration
    private static let limit = 1_000

    /// `lifetime`: How long a continuation token is good.
    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// A valid continuation token with its journey.
    struct Continuation: Sendable {
        let token: Secret
        let step: NativeJourney.Step
        var journey: NativeJourney
    }

    /// The result of looking up a continuation token.
    enum Lookup: Sendable {
        case valid(Continuation)
        case expired
        /// Unknown, used up, of another step, client, tenant or flow.
        case invalid
    }

    /// Begins a journey and gives its first continuation token.
    func begin(_ journey: NativeJourney, now: Date) -> Secret {
        state.withLock { state in
            if state.journeys.count >= Self.limit { makeRoom(in: &state, now: now) }
            state.journeys[journey.id] = journey
            return issue(for: journey.id, at: .started, in: &state, now: now)
        }
    }

    /// Looks a continuation token up; that alone does not use it up.
    func find(
        _ token: Secret,
        at steps: Set<NativeJourney.Step>,
        tenantID: String,
        clientID: String,
        now: Date
    ) -> Lookup {
        state.withLock { state in
            guard let ticket = state.tickets[token.digest], let journey = state.journeys[ticket.journeyID],
                steps.contains(ticket.step), journey.tenantID == tenantID,
                journey.clientID.lowercased() == clientID.lowercased()
            else { return .invalid }
            guard ticket.expiresAt > now else { return .expired }
            return .valid(Continuation(token: token, step: ticket.step, journey: journey))
        }
    }

    /// Takes a journey to its next step: gives a new continuation token and uses up the old one.
    ///
    /// `keepsToken`: Whether the old one stays good beside the new one, as after another code was asked for. Else all
    /// the journey's tokens are used up. Returns `nil` when another request was quicker with the same token.
    func advance(
        _ continuation: Continuation,
        to step: NativeJourney.Step,
        keepsToken: Bool = false,
        now: Date
    ) -> Secret? {
        state.withLock { state in
            let journey = continuation.journey
            guard state.tickets[continuation.token.digest] != nil else { return nil }
            if !keepsToken { state.tickets = state.tickets.filter { $0.value.journeyID != journey.id } }
            state.journeys[journey.id] = journey
            return issue(for: journey.id, at: step, in: &state, now: now)
        }
    }

    /// Ends a journey; returns `false` when another request was quicker with the same token.
    func end(_ continuation: Continuation) -> Bool {
        state.withLock { state in
            guard state.tickets[continuation.token.digest] != nil else { return false }
            state.end(continuation.journey.id)
            return true
        }
    }

    /// Changes a stored journey in one step; returns `nil` when it has ended.
    func update<Value: Sendable>(
        _ journey: NativeJourney,
        by change: @Sendable (inout NativeJourney) -> Value
    ) -> Value? {
        state.withLock { state in
            guard var current = state.journeys[journey.id] else { return nil }
            let value = change(&current)
            state.journeys[journey.id] = current
            return value
        }
    }

    /// Ends all journeys.
    func removeAll() {
        state.withLock { $0 = State() }
    }

    private func issue(
        for journeyID: String,
        at step: NativeJourney.Step,
        in state: inout State,
        now: Date
    ) -> Secret {
        // 96 bytes are 128 characters; the service's tokens are longer than a hundred.
        let token = Secret.random(bytes: 96)
        state.tickets[token.digest] = Ticket(
            journeyID: journeyID,
            step: step,
            expiresAt: now.addingTimeInterval(lifetime.seconds)
        )
        return token
    }

    /// Forgets journeys whose tokens have all expired, else the one that has waited longest.
    private func makeRoom(in state: inout State, now: Date) {
        let latest = Dictionary(state.tickets.values.map { ($0.journeyID, $0.expiresAt) }) { max($0, $1) }
        let expired = latest.filter { $0.value <= now }.map(\.key)
        let victims = expired.isEmpty ? latest.min { $0.value < $1.value }.map { [$0.key] } ?? [] : expired
        for id in victims { state.journeys[id] = nil }
        let gone = Set(victims)
        state.tickets = state.tickets.filter { !gone.contains($0.value.journeyID) }
    }
}
