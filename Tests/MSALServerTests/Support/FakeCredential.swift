// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import Synchronization

/// The called credentials, in order, and the claims of each call.
final class Questions: Sendable {
    private let state = Mutex<[(name: String, claims: String?)]>([])

    var names: [String] { state.withLock { $0.map(\.name) } }
    var claims: [String] { state.withLock { $0.compactMap(\.claims) } }

    func note(_ name: String, _ request: MSALTokenRequest) {
        state.withLock { $0.append((name, request.options.claims)) }
    }

    func forget() { state.withLock { $0 = [] } }
}

/// A credential whose result a test sets, and changes.
final class FakeCredential: MSALTokenCredential {
    typealias Outcome = Result<String, MSALTokenError>

    let name: String
    private let questions: Questions
    private let outcome: Mutex<Outcome>
    private let gate: Gate?

    init(_ name: String, asked questions: Questions, outcome: Outcome, gate: Gate? = nil) {
        self.name = name
        self.questions = questions
        self.outcome = Mutex(outcome)
        self.gate = gate
    }

    func answer(_ outcome: Outcome) { self.outcome.withLock { $0 = outcome } }

    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        questions.note(name, request)
        await gate?.wait()
        let text = try outcome.withLock { $0 }.get()
        let token = CachedAccessToken(
            accessToken: Secret(text),
            life: .init(until: 4_000_000_000),
            scopes: request.scopes
        )
        return MSALTokenResult(token, source: .service)
    }

    /// The result of a member of a chain that is not configured.
    static let unavailable = Outcome.failure(MSALTokenError(.credentialUnavailable, message: "It is not set up."))
    static let failed = Outcome.failure(MSALTokenError(.authenticationFailed, message: "It was refused."))
}

/// A gate that a test opens.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.forEach { $0.resume() }
    }
}

/// The log lines during a test.
final class Lines: Sendable {
    private let lines = Mutex<[(level: Log.Level, text: String)]>([])

    func texts(of level: Log.Level) -> [String] {
        lines.withLock { $0.filter { $0.level == level }.map(\.text) }
    }

    func heard<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
        try await Log.$listener.withValue(
            Log.Listener { [self] level, text in lines.withLock { $0.append((level, text)) } }
        ) {
            try await operation()
        }
    }
}
