// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Remembers how silent requests were answered from the store, for as long as no process changes it.
///
/// A repeated request then costs one look at the store's change counter, and neither the rules of authorities nor those
/// of lookups are gone through again. Whether the token is still good is decided anew each time.
package final class SilentAnswers: Sendable {
    /// What an answer depends on, apart from the store, the time and the client's settings.
    package struct Key: Sendable, Hashable {
        let account: AccountReference
        let scopes: ScopeSet
        let authority: Authority?
        let isAuthorityValidated: Bool
        /// The key of a bound token; `nil` for bearer tokens.
        let keyID: String?

        /// Hashes what tells requests of one process apart; the rest is left to `==`.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(account.homeAccountID)
            hasher.combine(scopes)
        }
    }

    /// A stored token and the result made of it; an object, so that handing it out copies one reference.
    package final class Answer: Sendable {
        let hit: AccessTokenHit
        let result: TokenResult

        init(hit: AccessTokenHit, result: TokenResult) {
            self.hit = hit
            self.result = result
        }
    }

    /// More different requests than this in one state of the store are unusual; the memory then starts over.
    private static let capacity = 4096

    private struct Memory: Sendable {
        var counter: Int64?
        var answers: [Key: Answer] = [:]
    }

    private let memory = Mutex(Memory())

    /// What `key` was answered with while the store stood at `counter`.
    package func answer(to key: Key, at counter: Int64) -> Answer? {
        memory.withLock { $0.counter == counter ? $0.answers[key] : nil }
    }

    /// `counter` must have been read before the lookup: a change in between then only costs a second one.
    package func remember(_ answer: Answer, to key: Key, at counter: Int64) {
        memory.withLock { memory in
            if memory.counter != counter || memory.answers.count >= Self.capacity {
                memory.answers.removeAll(keepingCapacity: true)
                memory.counter = counter
            }
            memory.answers[key] = answer
        }
    }
}
