// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Synchronization

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// A transport between an app and the platform while a case is replayed. It prepares the platform for each request, and
/// compares its responses with those of the case.
final class NativeAuthCaseTransport: HTTPTransport {
    private struct State {
        var pending: [(answer: NativeAuthCaseStory.Answer, preparation: NativeAuthCasePlan.Preparation)]
        var complaints: [String] = []
    }

    private let base: any HTTPTransport
    private let emulator: Emulator
    private let state: Mutex<State>

    init(_ plan: NativeAuthCasePlan, emulator: Emulator, base: any HTTPTransport) {
        self.base = base
        self.emulator = emulator
        state = Mutex(State(pending: Array(zip(plan.story.answers, plan.preparations)).map { ($0.0, $0.1) }))
    }

    /// The differences from the case, including missing requests.
    var complaints: [String] {
        state.withLock { state in
            state.complaints + state.pending.filter { !$0.answer.isOptional }.map { "no request to \($0.answer.path)" }
        }
    }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let next = state.withLock { state -> (NativeAuthCaseStory.Answer, NativeAuthCasePlan.Preparation)? in
            while let first = state.pending.first, first.answer.isOptional,
                !message.url.path().hasSuffix(first.answer.path)
            {
                state.pending.removeFirst()
            }
            guard let first = state.pending.first, message.url.path().hasSuffix(first.answer.path) else {
                // The metadata are requested once, which cases do not count.
                if !message.url.path().hasSuffix("openid-configuration") {
                    state.complaints.append("unexpected request to \(message.url.path())")
                }
                return nil
            }
            state.pending.removeFirst()
            return (first.answer, first.preparation)
        }
        guard let (answer, preparation) = next else { return try await base.send(message) }
        do {
            try await prepare(answer, by: preparation)
        } catch {
            complain("the platform could not be prepared for \(answer.path): \(error)")
        }
        let reply = try await base.send(message)
        compare(reply, with: answer)
        return reply
    }

    private func prepare(
        _ answer: NativeAuthCaseStory.Answer,
        by preparation: NativeAuthCasePlan.Preparation
    ) async throws {
        switch preparation {
        case .none, .impossible: return
        case .change(let change): try await change(emulator)
        case .verbatim:
            emulator.enqueueFault(
                Fault(
                    pathSuffix: answer.path,
                    status: answer.status,
                    headers: ["Content-Type": "application/json"],
                    body: answer.body
                )
            )
        }
    }

    /// The relevant facts: status, error, suberror, codes, type of challenge, and which members exist.
    private func compare(_ reply: HTTPResponse, with answer: NativeAuthCaseStory.Answer) {
        if reply.status != answer.status { complain("\(answer.path): status \(reply.status), not \(answer.status)") }
        guard let wanted = answer.json, !wanted.isEmpty else { return }
        let actual = MSALBase.JSONValue(parsing: reply.body)?.object ?? [:]
        for name in ["error", "suberror", "challenge_type", "status"] where actual[name] != wanted[name] {
            complain(
                "\(answer.path): \(name) is \(actual[name]?.text ?? "absent"), not \(wanted[name]?.text ?? "absent")"
            )
        }
        // Some error responses have several codes. One of them is enough to identify them.
        let numbers = (actual["error_codes"]?.array ?? []).compactMap(\.double).map { Int($0) }
        if !answer.codes.isEmpty, Set(numbers).isDisjoint(with: answer.codes) {
            complain("\(answer.path): numbers are \(numbers), not \(answer.codes)")
        }
        for name in wanted.keys where actual[name] == nil && !Self.isOptional(name, of: answer) {
            complain("\(answer.path): \(name) is missing")
        }
    }

    /// The final response need not have a token lifetime, and an unfinished one need not repeat it.
    private static func isOptional(_ name: String, of answer: NativeAuthCaseStory.Answer) -> Bool {
        name == "suberror" || (name == "continuation_token" && answer.json?["status"] != nil)
    }

    private func complain(_ text: String) {
        state.withLock { $0.complaints.append(text) }
    }
}
