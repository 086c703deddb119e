// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import SealedStore
import StoreWorker
import Testing

@testable import MSAL

extension Torture {
    /// See docs/reference/Store.md#torture-kill.
    @Test func `a process that is killed while saving leaves whole responses, all that it was told were saved`() throws
    {
        try TortureRun.with("T1 kill -9") { run in
            let rounds = TortureSize.of(small: 15, full: 500)
            let accounts = 3
            var random = run.random
            var next = 1
            var acknowledged = 0
            for round in 1...rounds {
                let worker = try Worker("save", in: run.directory, ["first=\(next)", "accounts=\(accounts)"])
                _ = try worker.next()
                usleep(.random(in: 1000...80_000, using: &random))
                worker.kill()

                let lines = worker.lines.map { $0.split(separator: " ").map(String.init) }
                acknowledged += lines.count
                let store = try run.store()
                #expect(try store.damage().isEmpty, "round \(round)")
                for account in 0..<accounts {
                    let numbers = try Numbered.numbers(of: account, in: store)
                    #expect(numbers.isWhole, "round \(round): \(numbers)")
                    guard let last = lines.last(where: { $0[1] == "\(account)" }), let number = Int(last[2]) else {
                        continue
                    }
                    // The last acknowledged state, or the next one, which the process could not report any more.
                    let isSignedOut = last[0] == "signedOut"
                    var possible: Set<Int?> = isSignedOut ? [nil] : [number]
                    possible.insert(number + accounts)
                    if !isSignedOut, number % 10 == 0 { possible.insert(nil) }
                    #expect(possible.contains(numbers.refreshToken), "round \(round): \(last), \(numbers)")
                }
                next = (lines.compactMap { Int($0[2]) }.max() ?? next) + 2 * accounts
            }
            run.say("\(rounds) rounds, \(acknowledged) acknowledged steps, none lost, no half response")
        }
    }

    /// See docs/reference/Store.md#torture-rotation.
    @Test func `a process that is killed while changing keys leaves every row readable`() throws {
        try TortureRun.with("T6 rotation") { run in
            let repeats = TortureSize.of(small: 1, full: 5)
            let steps = StoreStep.allCases.flatMap { step in [0, 1].map { (step, $0) } }
            // More rows than one pass encrypts again.
            let accounts = 55
            let original = try run.nested("original")
            let saving = try original.cache()
            for account in 0..<accounts { _ = try saving.save(Numbered.save(account: account, number: 7)) }
            var deaths = 0
            for (step, skip) in Array(repeatElement(steps, count: repeats).joined()) {
                let place = try run.nested("\(step)-\(skip)-\(deaths)-\(UUID().uuidString.prefix(4))")
                try FileManager.default.copyItem(
                    at: original.directory.appending(path: "msal"),
                    to: place.directory.appending(path: "msal")
                )
                let worker = try Worker("rotate", in: place.directory, ["die=\(step.rawValue)", "skip=\(skip)"])
                let died = worker.wait() != 0
                deaths += died ? 1 : 0
                #expect(died || worker.lines.last == "rotated", "\(step): \(worker.lines)")
                for attempt in 1...2 {
                    let store = try place.store()
                    for account in 0..<accounts {
                        let numbers = try Numbered.numbers(of: account, in: store)
                        #expect(numbers.refreshToken == 7 && numbers.isWhole, "\(step) \(skip): \(numbers)")
                    }
                    guard attempt == 1 else { break }
                    // Then once more, to the end: partial results must not be an obstacle.
                    let other = try Worker("rotate", in: place.directory)
                    #expect(other.wait() == 0, "\(step): \(other.lines)")
                }
            }
            #expect(deaths >= StoreStep.allCases.count - 2)
            run.say("\(steps.count * repeats) changes of keys, killed in \(deaths), every row readable")
        }
    }

    /// See docs/reference/Store.md#torture-fork.
    @Test func `both sides of a fork go on with the store`() throws {
        try TortureRun.with("T14 fork") { run in
            for _ in 0..<TortureSize.of(small: 3, full: 50) {
                let worker = try Worker("fork", in: run.directory)
                #expect(worker.wait() == 0)
                #expect(worker.lines.contains("child true"), "\(worker.lines)")
                #expect(worker.lines.contains("parent 0"), "\(worker.lines)")

                let store = try run.store()
                #expect(try store.damage().isEmpty)
                for (account, number) in [(0, 1), (1, 20), (2, 1), (3, 20)] {
                    #expect(try Numbered.numbers(of: account, in: store).refreshToken == number, "account \(account)")
                }
                try cleared(run)
            }
            run.say("parent and child saved side by side, nothing lost")
        }
    }

    private func cleared(_ run: TortureRun) throws {
        try FileManager.default.removeItem(at: run.directory.appending(path: "msal"))
    }
}
