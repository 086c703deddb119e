// Licensed under the MIT License. See LICENSE.

/// Decoded answers of the store, good for one value of its change counter.
struct CacheMemory: Sendable {
    /// More queries than this in one state of the store are unusual; the memory then starts over.
    static let capacity = 4096

    private var counter: Int64?
    private var answers = ObjectTable<Answer>()
    private var companions = ObjectTable<TokenCompanions>()
    private var metadata: [String: Remembered] = [:]
    private var pool = TextPool()

    private final class Answer: KeyedObject {
        let key: AccessTokenQuery
        let hits: [AccessTokenHit]

        init(to query: AccessTokenQuery, _ hits: [AccessTokenHit]) {
            key = query
            self.hits = hits
        }
    }

    /// What is remembered of an account: also that there is nothing.
    struct Remembered: Sendable {
        let value: AccountMetadata?
    }

    /// What was found for `query` when the store stood at `counter`.
    func hits(for query: AccessTokenQuery, at counter: Int64) -> [AccessTokenHit]? {
        self.counter == counter ? answers[query]?.hits : nil
    }

    /// What was found for `query` last, whatever happened in the store since.
    func lastHits(for query: AccessTokenQuery) -> [AccessTokenHit]? { answers[query]?.hits }

    /// Those companions that were found beside other tokens of the same account and realm.
    func companions(_ keys: [TokenCompanions.Key], at counter: Int64) -> [TokenCompanions] {
        self.counter == counter ? keys.compactMap { companions[$0] } : []
    }

    func metadata(of homeAccountID: String, at counter: Int64) -> Remembered? {
        self.counter == counter ? metadata[homeAccountID] : nil
    }

    /// `query` in the form in which to look it up and remember it, so that of thousands the account and the tenant are
    /// kept once.
    mutating func shared(_ query: AccessTokenQuery) -> AccessTokenQuery { query.sharingTexts(of: &pool) }

    /// `counter` must have been read before the hits: a change in between then only costs a second look.
    mutating func remember(_ found: [AccessTokenHit], for query: AccessTokenQuery, at counter: Int64) {
        turn(to: counter)
        if answers.count >= Self.capacity {
            answers.removeAll()
            companions.removeAll()
        }
        answers.insert(Answer(to: query, found))
        for hit in found { companions.insert(hit.companions) }
    }

    mutating func remember(_ found: AccountMetadata?, of homeAccountID: String, at counter: Int64) {
        turn(to: counter)
        if metadata.count >= Self.capacity { metadata.removeAll(keepingCapacity: true) }
        metadata[homeAccountID] = Remembered(value: found)
    }

    private mutating func turn(to counter: Int64) {
        guard self.counter != counter else { return }
        self.counter = counter
        answers.removeAll()
        companions.removeAll()
        metadata.removeAll(keepingCapacity: true)
    }
}
