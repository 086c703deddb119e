// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// A store that lives as long as the process: for tests, for apps that ask for it, and where no home exists.
package final class MemoryStore: TokenStore {
    private let contents = Mutex(Contents())

    package init() {}

    package func changeCounter() throws(StoreError) -> Int64 {
        contents.withLock(\.counter)
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let snapshot = contents.withLock(\.self)
        return try body(MemoryTransaction(snapshot))
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try contents.withLock { (contents) throws(StoreError) -> R in
            // The work happens on a copy, so that a failing body leaves nothing behind.
            let transaction = MemoryTransaction(contents)
            let result = try body(transaction)
            contents = transaction.contents
            contents.counter += 1
            return result
        }
    }
}

/// The records by kind and account, so that a lookup need not walk over other people's tokens.
private struct Contents: Sendable {
    var counter: Int64 = 0
    var lastPurge: Date?
    var records: [RecordKind: [String: [RecordIdentity: CacheRecord]]] = [:]
}

private final class MemoryTransaction: TokenStoreWriting {
    private(set) var contents: Contents

    init(_ contents: Contents) {
        self.contents = contents
    }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        contents.records[identity.kind]?[identity.account]?[identity]
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        guard let accounts = contents.records[filter.kind] else { return [] }
        if let homeAccountID = filter.homeAccountID {
            return accounts[homeAccountID]?.values.filter(filter.matches) ?? []
        }
        return accounts.values.flatMap { $0.values.filter(filter.matches) }
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        let identity = record.identity
        contents.records[identity.kind, default: [:]][identity.account, default: [:]][identity] = record
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        contents.records[identity.kind]?[identity.account]?[identity] = nil
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        if let last = contents.lastPurge, last <= date, date.timeIntervalSince(last) < 3600 { return }
        contents.lastPurge = date
        for token in try accessTokens(RecordFilter(.accessToken)) where token.finalExpiry < date {
            try delete(token.identity)
        }
    }

    func deleteAll() throws(StoreError) {
        contents.records = [:]
    }
}

extension RecordIdentity {
    /// The account the record belongs to; empty for records that belong to none.
    fileprivate var account: String {
        switch kind {
        case .accessToken, .refreshToken, .idToken, .account: parts.first ?? ""
        case .appMetadata, .accountMetadata: ""
        }
    }
}
