// Licensed under the MIT License. See LICENSE.

import Foundation
import StoreWorker
import Testing

@testable import MSAL
@testable import SealedStore

/// The files that a wipe deletes in addition to the records, and those that it leaves alone.
@Suite struct LeftoverFilesTests {
    private let quarantine = "corrupt-20260101T000000Z-1"

    private func fill(_ store: any TokenStore, _ account: Int = 0) throws {
        _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: account, number: 1))
    }

    private func isSignedIn(_ store: any TokenStore, _ account: Int = 0) throws -> Bool {
        try Numbered.numbers(of: account, in: store).refreshToken != nil
    }

    private func make(_ name: String, in folder: StoreFolder) throws {
        let path = folder.location.directory + "/" + name
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("sealed".utf8).write(to: URL(filePath: path))
    }

    @Test func `a wipe deletes every copy, and the store can still be used`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store)
            let before = try folder.names()
            try store.heal(isCertain: true)
            for name in ["tokens.db.v1", "tokens.db.v12.new-journal", ".mended.db", ".salvage/copy-true-false.db-wal"] {
                try make(name, in: folder)
            }
            #expect(LeftoverFiles(of: folder.location).paths.count == 5)

            try store.wipe()

            #expect(LeftoverFiles(of: folder.location).paths.isEmpty)
            #expect(try Set(folder.names()).subtracting([".recovery"]) == Set(before))
            #expect(try !isSignedIn(store))
            try fill(store)
            #expect(try isSignedIn(folder.store()))
        }
    }

    @Test func `files of other programs remain, and the wipe reports them when it is done`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store)
            let outside = folder.directory.path + "/outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: URL(filePath: outside + "/tokens.db"))
            let link = folder.location.directory + "/" + quarantine
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
            for name in ["corrupt-20260101T000000Z-2/tokens.db", "corrupt-20260101T000000Z-2/notes.txt"] {
                try make(name, in: folder)
            }
            for name in ["corrupt-notes/tokens.db", "tokens.db.v1.bak", "tokens.db.v1/tokens.db"] {
                try make(name, in: folder)
            }

            let error = #expect(throws: StoreError.self) { try store.wipe() }

            #expect(error?.kind == .unwritable)
            for name in [quarantine, "corrupt-20260101T000000Z-2", "tokens.db.v1"] {
                #expect(error?.message.contains(folder.location.directory + "/" + name) == true)
            }
            #expect(error?.message.contains("corrupt-notes") == false)
            #expect(FileManager.default.fileExists(atPath: outside + "/tokens.db"))
            let left = ["corrupt-20260101T000000Z-2/notes.txt", "corrupt-notes/tokens.db", "tokens.db.v1.bak"]
            for name in left + ["tokens.db.v1/tokens.db"] {
                #expect(FileManager.default.fileExists(atPath: folder.location.directory + "/" + name))
            }
            // The store's own files in the folder are gone.
            let sealed = folder.location.directory + "/corrupt-20260101T000000Z-2/tokens.db"
            #expect(!FileManager.default.fileExists(atPath: sealed))
            #expect(try !isSignedIn(store))
        }
    }

    @Test func `a store that is waiting for repair does not come back after a wipe`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store())
            let quarantine = Quarantine(group: folder.location.directory, name: quarantine)
            try quarantine.create()
            try RecoveryLock.take(in: folder.location, creating: true)?.note(quarantine.name)
            try FileManager.default.moveItem(atPath: folder.location.file, toPath: quarantine.path + "/tokens.db")

            try LeftoverFiles(of: folder.location).remove()

            #expect(try !isSignedIn(folder.store()))
            #expect(try !folder.names().contains("tokens.db"))
        }
    }

    @Test func `without a store, a wipe creates none`() throws {
        try StoreFolder.with { folder in
            try folder.store().wipe()
            #expect(!FileManager.default.fileExists(atPath: folder.location.directory))
        }
    }

    @Test func `a wipe of an app reaches copies and memory`() throws {
        try StoreFolder.with { folder in
            let buffered = BufferedStore(over: folder.store())
            try fill(buffered)
            try make("tokens.db.v1", in: folder)

            try TokenCache(store: buffered, clientID: Numbered.clientID).wipe()

            #expect(LeftoverFiles(of: folder.location).paths.isEmpty)
            #expect(try !isSignedIn(buffered))
        }
    }

    @Test func `nothing that was wiped is left in the file or its log while others have it open`() throws {
        try StoreFolder.with { folder in
            let plain = SQLiteStore(location: folder.location, keys: SingleKeySource(nil))
            let other = SQLiteStore(location: folder.location, keys: SingleKeySource(nil))
            try fill(plain)
            #expect(try isSignedIn(other))
            try fill(other, 1)
            func isOnDisk(_ text: String) throws -> Bool {
                try folder.names().contains { name in
                    let path = folder.location.directory + "/" + name
                    return FileManager.default.contents(atPath: path)?.range(of: Data(text.utf8)) != nil
                }
            }
            let secret = Numbered.refreshToken(0, 1)
            #expect(try isOnDisk(secret))

            try plain.wipe()

            #expect(try !isOnDisk(secret))
            #expect(try !isSignedIn(other, 1))
        }
    }

    @Test func `only damaged files of the store are counted and replaced`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store)
            for number in 1...4 { try make("corrupt-backup-\(number)/tokens.db", in: folder) }
            for _ in 0..<5 { try store.heal(isCertain: true) }

            #expect(Quarantine.all(in: folder.location.directory).count == Quarantine.limit)
            #expect(try folder.names().filter { $0.hasPrefix("corrupt-backup") }.count == 4)
        }
    }
}
