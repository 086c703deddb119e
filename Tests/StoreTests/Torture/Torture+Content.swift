// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import StoreWorker
import Testing

@testable import MSAL

extension Torture {
    /// See docs/reference/Store.md#torture-secrets.
    @Test func `no file of a store shows a secret, a user name or a scope`() throws {
        try TortureRun.with("T12 secrets at rest") { run in
            let accounts = 40
            let store = try run.store()
            let cache = TokenCache(store: store, clientID: Numbered.clientID)
            func look(_ moment: String) throws {
                let shown = try FileSearch(directory: run.location.directory).find(
                    [
                        "fake-", "contoso.example", "Fake.Scope", "fake.scope", "user-", Numbered.tenant,
                        Numbered.clientID,
                    ]
                )
                #expect(shown.isEmpty, "\(moment): \(shown)")
            }
            for account in 0..<accounts {
                _ = try cache.save(Numbered.save(account: account, number: 1, padding: 1500))
            }
            try look("after saving")
            for account in 0..<accounts / 2 {
                try cache.signOut(homeAccountID: Numbered.homeAccountID(account), wipeAccount: true)
            }
            try look("after deleting")
            try store.rotateKeys(KeyAccessOptions())
            try look("after new keys")
            try cache.wipe()
            try look("after deleting everything")

            // The same search must find what is not encrypted, so that it can fail.
            let plain = try run.nested("plain")
            let open = SQLiteStore(location: try plain.location, keys: SingleKeySource(nil))
            _ = try TokenCache(store: open, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
            #expect(!(try FileSearch(directory: plain.location.directory).find(["fake-"]).isEmpty))
            run.say("\(accounts) accounts saved, deleted and sealed anew: nothing shown in any file")
        }
    }

    /// See docs/reference/Store.md#torture-scale.
    @Test(arguments: TortureSize.isFull ? [10_000, 100_000] : [5_000])
    func `a large store answers right, and is swept in bounded steps`(count: Int) throws {
        try TortureRun.with("T15 scale \(count)") { run in
            let clock = ContinuousClock()
            let people = count / 4
            let store = try run.store()
            let filling = try clock.measure {
                // A thousand responses in one transaction, only to fill the store.
                for start in stride(from: 0, to: people, by: 1000) {
                    try store.write(.normal) { (transaction) throws(StoreError) in
                        for account in start..<min(start + 1000, people) {
                            for record in Numbered.records(account: account, number: account) {
                                try transaction.save(record)
                            }
                        }
                    }
                }
            }
            let fresh = try run.cache()
            var found: String?
            let first = try clock.measure { found = try fresh.hit(people / 2) }
            #expect(found == Numbered.accessToken(people / 2, people / 2))
            for account in stride(from: 0, to: people, by: max(1, people / 50)) {
                #expect(try fresh.hit(account) == Numbered.accessToken(account, account))
            }
            #expect(try fresh.hit(people + 1) == nil)
            let saving = try clock.measure { _ = try fresh.save(Numbered.save(account: 0, number: 1_000_000)) }
            #expect(try Numbered.numbers(of: 0, in: store).refreshToken == 1_000_000)

            // A century later every access token has expired, and nothing else; they are deleted in steps, so that no save is
            // slow.
            let steps = people / 200 + 1
            var slowest = Duration.zero
            for step in 1...steps {
                let time = try clock.measure {
                    try store.write(.normal) { (transaction) throws(StoreError) in
                        try transaction.purgeAccessTokens(expiredBefore: Numbered.now + 4_000_000_000)
                    }
                }
                slowest = max(slowest, time)
                guard step == 1 else { continue }
                let left = try store.statistics(now: Numbered.now).records[.accessToken] ?? 0
                #expect(left < people && people - left <= 1000)
            }
            let statistics = try store.statistics(now: Numbered.now)
            #expect((statistics.records[.accessToken] ?? 0) == 0)
            #expect(statistics.records[.refreshToken] == people)
            #expect(statistics.records[.account] == people)
            #expect(try store.damage().isEmpty)
            run.say("fill \(filling), first lookup \(first), save \(saving), \(steps) sweeps, slowest \(slowest)")
        }
    }
}

/// Looks for texts in every file below a directory, also in UTF-16.
struct FileSearch {
    let directory: String

    /// The texts that were found, with the file's name.
    func find(_ texts: [String]) throws -> [String] {
        guard let files = FileManager.default.enumerator(atPath: directory) else { return ["\(directory) is missing"] }
        var found: [String] = []
        var count = 0
        for case let name as String in files {
            guard let content = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            count += 1
            for text in texts {
                for encoding in [String.Encoding.utf8, .utf16LittleEndian] {
                    guard let needle = text.data(using: encoding) else { continue }
                    if content.range(of: needle) != nil { found.append("\(name): \(text)") }
                }
            }
        }
        return count > 1 ? found : ["only \(count) files in \(directory)"]
    }
}
