// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import StoreWorker
import Testing

@testable import MSAL
@testable import SealedStore

extension Torture {
    /// See docs/reference/Store.md#torture-damage.
    @Test func `a store that was damaged anywhere goes on`() throws {
        try TortureRun.with("T7 corruption") { run in
            let rounds = TortureSize.of(small: 20, full: 400)
            let accounts = 60
            let original = try run.nested("original")
            // Kept open, so that there are a log and an index to damage.
            let held = try original.store()
            let cache = TokenCache(store: held, clientID: Numbered.clientID)
            // Several times, so that SQLite writes most of the log into the file. A fault of the file under a log that has
            // all its pages would show nothing.
            for number in 0..<accounts * 6 {
                _ = try cache.save(Numbered.save(account: number % accounts, number: number, padding: 1500))
            }
            let size = try FileManager.default.attributesOfItem(atPath: original.location.file)[.size] as? Int
            try #require((size ?? 0) > accounts * 4096, "only \(size ?? 0) bytes are in the file")
            var random = run.random
            var tally = DamageTally(accounts: accounts)
            for round in 1...rounds {
                let place = try run.nested("round-\(round)")
                try FileManager.default.copyItem(
                    at: original.directory.appending(path: "msal"),
                    to: place.directory.appending(path: "msal")
                )
                try tally.survey(place, Damage.random(at: place.location, &random), round)
                try FileManager.default.removeItem(at: place.directory)
            }
            run.say("\(rounds) damages: \(tally)")
            #expect(tally.slowest < .seconds(10))
            #expect(tally.fewest >= accounts - 15)
            // About one in six has an effect. Of the few rounds of a small run perhaps none has.
            if rounds > 100 { #expect(tally.outcomes["recovered", default: 0] > 0) }
            // Two pages of many decide about all; in a few rounds chance may hit them more often.
            #expect(tally.outcomes["most lost", default: 0] <= max(4, rounds / 50))
        }
    }

    /// A power failure, as far as it can be simulated (docs/reference/Store.md#torture-power).
    ///
    /// Simulated: the machine stops while a process saves; what was written since the last `fsync` is lost in part, in
    /// sectors of 512 bytes and in any order, and a checkpoint that was under way left torn pages in the database.
    /// Where the last `fsync` was is taken from what SQLite documents: after each FULL commit, and nowhere between
    /// NORMAL ones. Not simulated: disks that lie about `fsync`, and file systems that lose directory entries.
    @Test func `a power cut costs no response that was saved with FULL`() throws {
        try TortureRun.with("T2 power cut") { run in
            let rounds = TortureSize.of(small: 10, full: 200)
            var random = run.random
            var cuts = 0
            for round in 1...rounds {
                let place = try run.nested("round-\(round)")
                let worker = try Worker("alternate", in: place.directory)
                _ = try worker.next()
                usleep(.random(in: 5000...150_000, using: &random))
                worker.kill()
                let lines = worker.lines.map { $0.split(separator: " ").map(String.init) }
                let unsynced = lines.reversed().prefix { $0[0] == "normal" }.count
                cuts += try PowerCut(location: place.location).strike(commitsSinceSync: unsynced, &random)

                let store = try place.store()
                #expect(try store.damage().isEmpty, "round \(round)")
                #expect(store.recovered == nil, "round \(round)")
                for account in 0..<3 {
                    let numbers = try Numbered.numbers(of: account, in: store)
                    let last = lines.last { $0[0] == "full" && $0[1] == "\(account)" }.flatMap { Int($0[2]) }
                    #expect(numbers.isWhole, "round \(round): \(numbers)")
                    // One that was not acknowledged may exist as well.
                    #expect((numbers.refreshToken ?? 0) >= last ?? 0, "round \(round): \(numbers), \(last ?? 0)")
                    let normal = try Numbered.numbers(of: 100 + account, in: store)
                    #expect(normal.accessToken == normal.idToken && normal.accessToken == normal.account)
                }
                try FileManager.default.removeItem(at: place.directory)
            }
            run.say("\(rounds) power cuts, \(cuts) sectors or pages lost, every FULL commit there, nothing torn")
        }
    }
}

/// The effects of damages.
private struct DamageTally: CustomStringConvertible {
    let accounts: Int
    private(set) var outcomes: [String: Int] = [:]
    /// The fewest whole accounts after a local damage that left most of them.
    private(set) var fewest: Int
    private(set) var slowest = Duration.zero

    init(accounts: Int) {
        self.accounts = accounts
        fewest = accounts
    }

    /// Makes a process use the damaged store, and checks its output.
    mutating func survey(_ place: TortureRun, _ damage: Damage, _ round: Int) throws {
        var (status, lines) = try run(place)
        if lines.contains(where: { $0.hasPrefix("error unverified") }) {
            // The file's information about its keys was damaged: it remains unchanged until a repair is requested.
            let names = try FileManager.default.contentsOfDirectory(atPath: place.location.directory)
            #expect(!names.contains(where: Quarantine.isName), "round \(round), \(damage): \(names)")
            outcomes["repair needed", default: 0] += 1
            (status, lines) = try run(place, ["repair"])
        }
        let note = Comment(rawValue: "round \(round), \(damage): \(lines)")

        #expect(status & 0x7F == 0, note)
        if lines.contains(where: { $0.hasPrefix("error keyUnavailable") }) {
            // The only row with the wrapped key was damaged: nothing can be decrypted, and nothing is changed.
            outcomes["key row hit", default: 0] += 1
            return
        }
        #expect(lines.contains("saved true"), note)
        let isRecovered = lines.contains { $0.hasPrefix("recovered") }
        let isSound = lines.contains("faults 0")
        // SQLite's quick check does not compare indexes with tables: one wrong byte there may stay.
        #expect(isSound || !isRecovered, note)
        outcomes[isRecovered ? "recovered" : isSound ? "no effect" : "not met yet", default: 0] += 1
        guard damage.isLocal else { return }
        let whole = lines.first { $0.hasPrefix("whole") }.flatMap { Int($0.dropFirst(6)) } ?? 0
        // All is lost with the page of the keys, nearly all with the page that leads to all rows, a little with any other.
        if whole < accounts / 2 {
            outcomes["most lost", default: 0] += 1
        } else {
            fewest = min(fewest, whole)
        }
    }

    private mutating func run(_ place: TortureRun, _ more: [String] = []) throws -> (status: Int32, lines: [String]) {
        let start = ContinuousClock.now
        let worker = try Worker("survey", in: place.directory, ["accounts=\(accounts)"] + more)
        let status = worker.wait()
        slowest = max(slowest, start.duration(to: .now))
        return (status, worker.lines)
    }

    var description: String {
        let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return
            "\(counts); at least \(fewest) of \(accounts) accounts whole after a local one, slowest process \(slowest)"
    }
}

/// One fault of a disk.
private struct Damage: CustomStringConvertible {
    /// The suffix of the file.
    let file: String
    let description: String
    /// Whether one or two pages of the database were hit. A cut takes everything behind it, and a fault in the log the
    /// commits behind it.
    var isLocal: Bool { file == "" && !description.contains(" cut at ") }

    static func random(at location: StoreLocation, _ random: inout SeededRandom) throws -> Damage {
        let file = ["", "", "-wal", "-wal", "-shm"].randomElement(using: &random) ?? ""
        let handle = try FileHandle(forUpdating: URL(filePath: location.file + file))
        defer { try? handle.close() }
        let size = try handle.seekToEnd()
        let offset = UInt64.random(in: 0..<max(1, size), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try handle.truncate(atOffset: offset)
            return Damage(file: file, description: "tokens.db\(file) cut at \(offset) of \(size)")
        case 1:
            let length = Int(min(size - offset, .random(in: 1...4096, using: &random)))
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }))
            return Damage(file: file, description: "tokens.db\(file): \(length) bytes at \(offset) of \(size)")
        default:
            try handle.seek(toOffset: offset)
            let byte = try handle.read(upToCount: 1)?.first ?? 0
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data([byte ^ (1 << UInt8.random(in: 0...7, using: &random))]))
            return Damage(file: file, description: "tokens.db\(file): one bit at \(offset) of \(size)")
        }
    }
}

/// Reverts writes that no `fsync` had confirmed.
private struct PowerCut {
    static let pageSize = 4096
    static let frameSize = pageSize + 24
    static let headerSize = 32

    let location: StoreLocation

    /// `commitsSinceSync`: How many of the last commits in the log were not synchronised.
    ///
    /// Returns how many sectors and pages were lost.
    func strike(commitsSinceSync: Int, _ random: inout SeededRandom) throws -> Int {
        // The index of the log is memory: it does not survive.
        try? FileManager.default.removeItem(atPath: location.file + "-shm")
        var log = try Data(contentsOf: URL(filePath: location.file + "-wal"))
        guard log.count > Self.headerSize else { return 0 }
        let frames = frames(of: log)
        let commits = frames.indices.filter { frames[$0].isCommit }
        let synced = commits.count > commitsSinceSync ? commits[commits.count - commitsSinceSync - 1] + 1 : 0
        var lost = try tearPages(frames.prefix(synced).map(\.page), &random)

        let end = Self.headerSize + synced * Self.frameSize
        let last = Self.headerSize + frames.count * Self.frameSize
        if Bool.random(using: &random), last > end {
            let cut = Int.random(in: end...last, using: &random)
            lost += (log.count - cut) / 512
            log = log.prefix(cut)
        } else {
            for start in stride(from: end, to: log.count, by: 512) where Int.random(in: 0..<3, using: &random) == 0 {
                let range = start..<min(start + 512, log.count)
                log.replaceSubrange(range, with: Data(count: range.count))
                lost += 1
            }
        }
        try log.write(to: URL(filePath: location.file + "-wal"))
        return lost
    }

    /// Pages that the synchronised part of the log holds may be half-written by a checkpoint.
    private func tearPages(_ pages: [UInt32], _ random: inout SeededRandom) throws -> Int {
        let handle = try FileHandle(forUpdating: URL(filePath: location.file))
        defer { try? handle.close() }
        let size = try handle.seekToEnd()
        var torn = 0
        for page in Set(pages).sorted() where Int.random(in: 0..<3, using: &random) == 0 {
            let offset = UInt64(page - 1) * UInt64(Self.pageSize) + 2048
            guard offset + 2048 <= size else { continue }
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data((0..<2048).map { _ in UInt8.random(in: 0...255, using: &random) }))
            torn += 1
        }
        return torn
    }

    private struct Frame {
        let page: UInt32
        let isCommit: Bool
    }

    /// The frames of the log's present generation: those with the salts of its header (SQLite file format, section 4).
    private func frames(of log: Data) -> [Frame] {
        let bytes = [UInt8](log)
        func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        var frames: [Frame] = []
        var offset = Self.headerSize
        while offset + Self.frameSize <= bytes.count, bytes[offset + 8..<offset + 16] == bytes[16..<24] {
            frames.append(Frame(page: number(offset), isCommit: number(offset + 4) != 0))
            offset += Self.frameSize
        }
        return frames
    }
}
