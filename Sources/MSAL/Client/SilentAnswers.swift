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
            hasher.combine(authority?.address)
            hasher.combine(keyID)
        }
    }

    /// A request while the store stands at one value of its change counter.
    package struct Place: Sendable {
        let key: Key
        /// Read before the lookup: a change in between then only costs a second one.
        let counter: Int64
    }

    /// What a request was answered with; an object, so that handing it out copies one reference.
    package final class Answer: KeyedObject {
        let key: Key
        let life: TokenLife
        private let result: TokenResult

        fileprivate init(to key: Key, _ life: TokenLife, _ result: TokenResult) {
            self.key = key
            self.life = life
            self.result = result
        }

        /// The result for another request of the same.
        func result(correlationID: UUID) -> TokenResult {
            var result = result
            result.correlationID = correlationID
            return result
        }
    }

    /// More different requests than this in one state of the store are unusual; the memory then starts over.
    private static let capacity = 4096

    private struct Memory: Sendable {
        var counter: Int64?
        var answers = ObjectTable<Answer>()
        /// Each kept once for all its tokens, and each tenant's authority for all holders.
        var holders = ObjectTable<TokenHolder>()
        var authorities: [String: Authority] = [:]

        mutating func turn(to counter: Int64) {
            self.counter = counter
            answers.removeAll()
            holders.removeAll()
            authorities.removeAll(keepingCapacity: true)
        }

        /// A holder equal to this one, the same for all who ask.
        mutating func shared(_ holder: TokenHolder) -> TokenHolder {
            if let known = holders[holder] { return known }
            let authority = authorities[holder.authority.address.path].flatMap { $0 == holder.authority ? $0 : nil }
            let holder = authority.map(holder.with(_:)) ?? holder
            authorities[holder.authority.address.path] = holder.authority
            holders.insert(holder)
            return holder
        }
    }

    private let memory = Mutex(Memory())

    /// What this request was answered with while the store stood as it does now.
    package func answer(at place: Place) -> Answer? {
        memory.withLock { $0.counter == place.counter ? $0.answers[place.key] : nil }
    }

    /// `life`: That of the token in `result`, which came from the store.
    func remember(_ result: TokenResult, _ life: TokenLife, at place: Place) {
        memory.withLock { memory in
            if memory.counter != place.counter || memory.answers.count >= Self.capacity {
                memory.turn(to: place.counter)
            }
            var result = result
            result.holder = memory.shared(result.holder)
            memory.answers.insert(Answer(to: place.key, life, result))
        }
    }
}
