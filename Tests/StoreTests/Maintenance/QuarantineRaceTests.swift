// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Synchronization
import Testing

@testable import MSAL
@testable import SealedStore

/// Two processes that find the same damage at once: one repairs it, and the files that it moved aside remain.
@Suite struct QuarantineRaceTests {
    private func fill(_ store: SQLiteStore) throws {
        _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
    }

    private func isSignedIn(_ store: SQLiteStore) throws -> Bool {
        try Numbered.numbers(of: 0, in: store).refreshToken == 1
    }

    /// The only damaged file that was moved aside, with its report.
    private func checkQuarantine(_ folder: StoreFolder) throws {
        let kept = try #require(Quarantine.all(in: folder.location.directory).first)
        #expect(Quarantine.all(in: folder.location.directory).count == 1)
        #expect(FileManager.default.fileExists(atPath: kept.path + "/tokens.db"))
        #expect(StoreRecoveryReport.history(of: folder.location).map(\.quarantine) == [kept.path])
    }

    @Test func `a process that is late to repair keys leaves the quarantined files of the other`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store())
            // The key of the indexes is lost.
            let damaging = try DatabaseQueue(path: folder.location.file)
            try damaging.write { try $0.execute(sql: "UPDATE keys SET wrapped = zeroblob(61) WHERE state = 'index'") }
            try damaging.close()
            let (first, late) = (folder.store(), folder.store())
            let hasMended = Mutex(false)
            // Just when the late process, which saw the same damage, is about to wait for its turn, the other one is done.
            try late.rows.presentWriter()?.inDatabase { db in
                db.trace { event in
                    guard "\(event)".hasPrefix("BEGIN IMMEDIATE") else { return }
                    let isTime = hasMended.withLock { hasMended in
                        defer { hasMended = true }
                        return !hasMended
                    }
                    if isTime { #expect(throws: Never.self) { try first.repair(KeyAccessOptions()) } }
                }
            }

            #expect(try late.repair(KeyAccessOptions()).isEmpty)

            #expect(try isSignedIn(late))
            let isMended = hasMended.withLock { $0 }
            #expect(isMended)
            #expect(first.recovered?.rowsLost == 0)
            #expect(late.recovered == nil)
            try checkQuarantine(folder)
        }
    }

    @Test func `a process that is late to a damaged file leaves the repaired one in place`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store())
            let (first, late) = (folder.store(), folder.store())
            #expect(try isSignedIn(first))
            #expect(try isSignedIn(late))

            try first.heal(isCertain: true)
            let mended = StoreFile(location: folder.location).identity
            try late.heal(isCertain: true)

            #expect(late.recovered == nil)
            #expect(StoreFile(location: folder.location).identity == mended)
            #expect(try isSignedIn(late))
            try checkQuarantine(folder)
        }
    }
}
