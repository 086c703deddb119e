// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import StoreWorker
import Testing

@testable import MSAL

extension Torture {
    /// See docs/reference/Store.md#torture-crowd.
    @Test func `a crowd of processes loses nothing and sees no half response`() throws {
        try TortureRun.with("T3 concurrency") { run in
            let crowd = TortureSize.of(small: 16, full: 64)
            let operations = TortureSize.of(small: 20, full: 50)
            let workers = try (0..<crowd).map { id in
                try Worker(
                    "mixed",
                    in: run.directory,
                    ["id=\(id)", "seed=\(run.seed)", "count=\(operations)", "accounts=\(crowd)"]
                )
            }
            var failures: [String] = []
            var worst = 0
            let store = try run.store()
            for (id, worker) in workers.enumerated() {
                #expect(worker.wait() == 0, "worker \(id)")
                let lines = worker.lines
                worst = max(worst, lines.compactMap { $0.hasPrefix("micros ") ? Int($0.dropFirst(7)) : nil }.max() ?? 0)
                failures += lines.filter { $0.hasPrefix("failed") }
                #expect(lines.count { $0.hasPrefix("micros ") } == operations)
                #expect(!lines.contains { $0.hasPrefix("torn") }, "\(lines.filter { $0.hasPrefix("torn") })")
                let last = lines.last { $0.hasPrefix("saved") || $0.hasPrefix("signedOut") }
                let expected = last.flatMap { $0.hasPrefix("saved") ? Int($0.split(separator: " ")[2]) : nil }
                let numbers = try Numbered.numbers(of: id, in: store)
                #expect(numbers.refreshToken == expected && numbers.isWhole, "worker \(id): \(numbers), \(last ?? "-")")
            }
            let busy = failures.count { $0.hasPrefix("failed busy") }
            #expect(failures.count == busy, "\(failures)")
            #expect(busy * 1000 < crowd * operations)
            #expect(try store.damage().isEmpty)
            run.say("\(crowd) processes x \(operations): \(busy) busy, 0 lost, 0 torn, worst \(worst / 1000) ms")
        }
    }

    /// See docs/reference/Store.md#torture-signout.
    @Test func `what another process does is seen by the next call`() throws {
        try TortureRun.with("T4 change detection") { run in
            let rounds = TortureSize.of(small: 100, full: 1000)
            let mine = try run.cache()
            let other = try Worker("answer", in: run.directory)
            for round in 1...rounds {
                let saved = try other.ask("save 0 \(round)")
                #expect(saved == "saved true")
                #expect(try mine.hit(0) == Numbered.accessToken(0, round))
                #expect(try mine.hit(0) == Numbered.accessToken(0, round))
                let signedOut = try other.ask("signout 0")
                #expect(signedOut == "signedOut 0")
                #expect(try mine.hit(0) == nil, "round \(round)")
            }
            run.say("\(rounds) sign-outs of another process, no stale answer")
        }
    }

    /// See docs/reference/Store.md#torture-resurrection.
    @Test func `a refresh does not bring back an account that was removed meanwhile`() throws {
        try TortureRun.with("T5 resurrection") { run in
            let rounds = TortureSize.of(small: 20, full: 200)
            let refreshing = try Worker("answer", in: run.directory)
            let removing = try Worker("answer", in: run.directory)
            for round in 1...rounds {
                _ = try removing.ask("save 0 \(round)")
                let began = try refreshing.ask("begin 0")
                #expect(began == "began true")
                _ = try removing.ask(round % 2 == 0 ? "signout 0 wipe" : "signout 0")
                let late = try refreshing.ask("refresh 0 \(round + 100_000)")
                #expect(late == "saved false")
                let found = try removing.ask("numbers 0")
                #expect(found == "numbers none true", "round \(round)")
            }
            run.say("\(rounds) late refreshes, none brought an account back")
        }
    }

    /// Issue 3: twenty processes with one expired token send one request.
    @Test func `many processes with one expired token send one request`() throws {
        try TortureRun.with("One refresh") { run in
            let rounds = TortureSize.of(small: 1, full: 20)
            for round in 1...rounds {
                let place = try run.nested("round-\(round)")
                let cache = try place.cache()
                _ = try cache.save(Numbered.expired(account: 0, number: 1))
                let log = place.directory.path + "/requests"
                let start = place.directory.path + "/start"
                let workers = try (0..<20).map { _ in
                    try Worker("refresh", in: place.directory, ["log=\(log)", "start=\(start)"])
                }
                for worker in workers { #expect(try worker.next() == "ready") }
                _ = FileManager.default.createFile(atPath: start, contents: nil)
                for worker in workers {
                    #expect(worker.wait() == 0, "\(worker.lines)")
                    #expect(worker.lines.last == "token fake-at-new", "\(worker.lines)")
                }
                let requests = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
                #expect(requests == 1, "round \(round)")
            }
            run.say("\(rounds) x 20 processes, one request each time")
        }
    }
}
