// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// A native authentication flow that proceeds step by step.
protocol ContinuedFlow: Sendable {
    associatedtype Step: Hashable, Sendable
    /// The step of the first continuation token.
    static var start: Step { get }
    var id: String { get }
    /// The last code that was sent.
    var code: OneTimeCode? { get set }
}

/// The native flows in progress, and their continuation tokens. They are kept in memory.
final class NativeAuthFlowStore<Flow: ContinuedFlow>: Sendable {
    private struct Ticket {
        let flowID: String
        let step: Flow.Step
        let expiresAt: Date
    }

    private struct State {
        var flows: [String: Flow] = [:]
        /// The tickets by the digests of their continuation tokens.
        var tickets: [String: Ticket] = [:]

        mutating func invalidateTickets(_ flowID: String) {
            tickets = tickets.filter { $0.value.flowID != flowID }
        }
    }

    private let state = Mutex(State())
    private let directory: ServedDirectory
    private static var limit: Int { 1_000 }

    /// `directory`: Its settings define the lifetime of continuation tokens.
    init(directory: ServedDirectory) { self.directory = directory }

    /// A valid continuation token with its flow.
    struct Continuation: Sendable {
        let token: Secret
        let step: Flow.Step
        var flow: Flow
    }

    /// The result of looking up a continuation token.
    enum Lookup: Sendable {
        case valid(Continuation)
        case expired
        /// Unknown, already used, or of a different flow.
        case invalid
    }

    /// Starts a flow and returns its first continuation token.
    func begin(_ flow: Flow, now: Date) -> Secret {
        state.withLock { state in
            if state.flows.count >= Self.limit { makeRoom(in: &state, now: now) }
            state.flows[flow.id] = flow
            return issue(for: flow.id, at: Flow.start, in: &state, now: now)
        }
    }

    /// Whether a flow with this ID has started recently. It may have ended.
    func isKnown(_ id: String) -> Bool { state.withLock { $0.flows[id] != nil } }

    /// Looks up a continuation token without invalidating it.
    func find(_ token: Secret, now: Date, where fits: (Flow, Flow.Step) -> Bool) -> Lookup {
        state.withLock { state in
            guard let ticket = state.tickets[token.digest], let flow = state.flows[ticket.flowID],
                fits(flow, ticket.step)
            else { return .invalid }
            guard ticket.expiresAt > now else { return .expired }
            return .valid(Continuation(token: token, step: ticket.step, flow: flow))
        }
    }

    /// Advances a flow to its next step: issues a new continuation token and invalidates the old one.
    ///
    /// `keepsToken`: Whether the old token remains valid in addition to the new one, for example after another code was
    /// requested. Otherwise, all tokens of the flow are invalidated. Returns `nil` if another request was faster with
    /// the same token.
    func advance(_ continuation: Continuation, to step: Flow.Step, keepsToken: Bool = false, now: Date) -> Secret? {
        state.withLock { state in
            let flow = continuation.flow
            guard state.tickets[continuation.token.digest] != nil else { return nil }
            if !keepsToken { state.invalidateTickets(flow.id) }
            state.flows[flow.id] = flow
            return issue(for: flow.id, at: step, in: &state, now: now)
        }
    }

    /// Ends a flow; returns `false` if another request was faster with the same token.
    func end(_ continuation: Continuation) -> Bool {
        state.withLock { state in
            guard state.tickets[continuation.token.digest] != nil else { return false }
            state.invalidateTickets(continuation.flow.id)
            return true
        }
    }

    /// Atomically changes a stored flow; returns `nil` if it has ended.
    func update<Value: Sendable>(_ flow: Flow, by change: @Sendable (inout Flow) -> Value) -> Value? {
        state.withLock { state in
            guard var current = state.flows[flow.id] else { return nil }
            let value = change(&current)
            state.flows[flow.id] = current
            return value
        }
    }

    /// Compares a code with the one that was sent, and counts failed attempts.
    ///
    /// - Returns: Whether the flow still exists.
    /// - Throws: AADSTS50181 for a wrong code or too many attempts, AADSTS50184 for an expired code.
    func checkCode(_ typed: Secret, of flow: Flow, allowed: Int, now: Date) throws(EntraError) -> Bool {
        let problem = update(flow) { flow -> EntraError? in
            guard var code = flow.code else { return .wrongCode }
            defer { flow.code = code }
            return code.check(typed, allowed: allowed, now: now)
        }
        if case .some(.some(let error)) = problem { throw error }
        return problem != nil
    }

    /// Ends all flows.
    func removeAll() { state.withLock { $0 = State() } }

    private func issue(for flowID: String, at step: Flow.Step, in state: inout State, now: Date) -> Secret {
        // 96 bytes are encoded as 128 characters; the service's tokens have more than a hundred.
        let token = Secret.random(bytes: 96)
        state.tickets[token.digest] = Ticket(
            flowID: flowID,
            step: step,
            expiresAt: now.addingTimeInterval(directory.native.continuationLifetime.seconds)
        )
        return token
    }

    /// Removes flows that have ended or whose tokens have all expired. If there are none, removes the flow that has
    /// been idle for the longest time.
    private func makeRoom(in state: inout State, now: Date) {
        let latest = Dictionary(state.tickets.values.map { ($0.flowID, $0.expiresAt) }) { max($0, $1) }
        let expired = state.flows.keys.filter { latest[$0].map { $0 <= now } ?? true }
        let victims = expired.isEmpty ? latest.min { $0.value < $1.value }.map { [$0.key] } ?? [] : expired
        for id in victims { state.flows[id] = nil }
        let gone = Set(victims)
        state.tickets = state.tickets.filter { !gone.contains($0.value.flowID) }
    }
}
