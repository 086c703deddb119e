// Licensed under the MIT License. See LICENSE.

/// Decoded answers of the store, good for one value of its change counter.
struct CacheMemory: Sendable {
    /// More queries than this in one state of the store are unusual; the memory then starts over.
    static let capacity = 4096

    private var counter: Int64?
    private var hits: [AccessTokenQuery: [AccessTokenHit]] = [:]
    private var companions: [TokenCompanions.Key: TokenCompanions] = [:]
    private var metadata: [String: Remembered] = [:]
    private var pool = TextPool()

    /// What is remembered of an account: also that there is nothing.
    struct Remembered: Sendable {
        let value: AccountMetadata?
    }

    /// What was found for `query` when the store stood at `counter`.
    func hits(for query: AccessTokenQuery, at counter: Int64) -> [AccessTokenHit]? {
        self.counter == counter ? hits[query] : nil
    }

    /// What was found for `query` last, whatever happened in the store since.
    func lastHits(for query: AccessTokenQuery) -> [AccessTokenHit]? { hits[query] }

    /// What was found beside other tokens of the same account and realm.
    func companions(
        of tokens: [AccessTokenRecord],
        for query: AccessTokenQuery,
        at counter: Int64
    ) -> [TokenCompanions.Key: TokenCompanions] {
        guard self.counter == counter else { return [:] }
        var found: [TokenCompanions.Key: TokenCompanions] = [:]
        for key in tokens.map(query.companions(of:)) { found[key] = companions[key] }
        return found
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
        if hits.count >= Self.capacity {
            hits.removeAll(keepingCapacity: true)
            companions.removeAll(keepingCapacity: true)
        }
        hits[query] = found
        for hit in found { companions[query.companions(of: hit.token)] = hit.companions }
    }

    mutating func remember(_ found: AccountMetadata?, of homeAccountID: String, at counter: Int64) {
        turn(to: counter)
        if metadata.count >= Self.capacity { metadata.removeAll(keepingCapacity: true) }
        metadata[homeAccountID] = Remembered(value: found)
    }

    private mutating func turn(to counter: Int64) {
        guard self.counter != counter else { return }
        self.counter = counter
        hits.removeAll(keepingCapacity: true)
        companions.removeAll(keepingCapacity: true)
        metadata.removeAll(keepingCapacity: true)
    }
}
