// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import SealedStore
import StoreWorker
import TestSupport
import Testing

@testable import MSAL

private let isRoot = geteuid() == 0

extension Torture {
    /// A full disk, simulated by a limit on the size of files (docs/reference/Store.md#torture-full).
    @Test func `a full disk costs no stored token, and saving works again when there is space`() throws {
        try TortureRun.with("T8 disk full") { run in
            let full = try Worker(
                "save",
                in: run.directory,
                ["overlay", "limit=1000000", "padding=1500", "accounts=500", "count=100", "signout=no"]
            )
            #expect(full.wait() == 0, "\(full.lines.suffix(3))")
            let saved = full.lines.filter { $0.hasPrefix("saved") }.compactMap { Int($0.split(separator: " ")[2]) }
            let kept = full.lines.filter { $0.hasPrefix("kept") }
            #expect(!saved.isEmpty && !kept.isEmpty, "\(saved.count) saved, \(kept.count) kept")
            #expect(saved.count + kept.count == 100)

            let store = try run.store()
            #expect(try store.damage().isEmpty)
            for number in saved {
                #expect(try Numbered.numbers(of: number, in: store).refreshToken == number, "number \(number)")
            }
            let after = try Worker("save", in: run.directory, ["overlay", "first=1000", "count=20", "signout=no"])
            #expect(after.wait() == 0)
            #expect(after.lines.allSatisfy { $0.hasPrefix("saved") }, "\(after.lines)")
            run.say("\(saved.count) saved and all there, \(kept.count) kept in memory when the space was used up")
        }
    }

    /// A full disk, for a process that starts on it.
    @Test func `a store that was closed cleanly is read on a full disk`() throws {
        try TortureRun.with("T8 full at start") { run in
            for account in 0..<3 {
                _ = try run.cache().save(Numbered.save(account: account, number: account + 1))
            }
            #expect(try access(run.location.file + "-wal", F_OK) != 0)

            // Less than the 32 KiB of shared memory, and enough for the worker's output.
            let reader = try Worker("answer", in: run.directory, ["overlay", "limit=8000"])
            #expect(try reader.ask("hit 2") == "hit \(Numbered.accessToken(2, 3))")
            #expect(try reader.ask("save 7 70") == "saved false")
            #expect(try reader.ask("hit 7") == "hit \(Numbered.accessToken(7, 70))")
            #expect(try reader.ask("numbers 1") == "numbers 2 true")
            reader.kill()
            run.say("read, and a new token kept in memory")
        }
    }

    /// A full disk, simulated by a small file system.
    @Test(.enabled(if: isRoot, "mounting takes root"))
    func `tokens of a full file system wait in memory and are written when there is space`() throws {
        try TortureRun.with("T8 small tmpfs") { run in
            let place = try run.nested("disk")
            guard shell("mount -t tmpfs -o size=400k,mode=700 none '\(place.directory.path)'") == 0 else {
                return run.say("left out: mounting is not allowed here")
            }
            defer { _ = shell("umount -l '\(place.directory.path)'") }
            let outputs = try run.nested("outputs")
            // Its output goes elsewhere: the disk under test is full.
            let worker = try Worker(
                "answer",
                in: outputs.directory,
                ["overlay", "padding=1500", "store=\(place.directory.path)"]
            )
            var number = 0
            var answer = "saved true"
            while answer == "saved true", number < 500 {
                number += 1
                answer = try worker.ask("save \(number) \(number)")
            }
            #expect(answer == "saved false", "\(number)")
            #expect(try worker.ask("hit \(number)").hasPrefix("hit fake-at-\(number)-\(number)"))
            #expect(try worker.ask("hit 1").hasPrefix("hit fake-at-1-1"))
            #expect(shell("mount -o remount,size=20m '\(place.directory.path)'") == 0)
            #expect(try worker.ask("save 900 900") == "saved true")

            let store = try place.store()
            #expect(try store.damage().isEmpty)
            for account in Array(1...number) + [900] {
                #expect(try Numbered.numbers(of: account, in: store).refreshToken == account, "account \(account)")
            }
            worker.kill()
            run.say("full after \(number) responses; all there once there was space")
        }
    }

    /// Owners and permissions, as far as the test needs root: another owner, and a setuid program
    /// (docs/reference/Store.md#torture-rights).
    @Test(.enabled(if: isRoot, "changing owners takes root"))
    func `another owner and borrowed rights are refused`() throws {
        try TortureRun.with("T9 owners") { run in
            _ = try run.cache().save(Numbered.save(account: 0, number: 1))
            for path in [try run.location.file, try run.location.directory] {
                #expect(chown(path, 65_534, 65_534) == 0)
                let error = #expect(throws: StoreError.self) { try Numbered.numbers(of: 0, in: run.store()) }
                #expect(error?.kind == .insecure)
                #expect(chown(path, 0, 0) == 0)
            }
            #expect(try Numbered.numbers(of: 0, in: run.store()).refreshToken == 1)

            let program = try publicWorker(run)
            #expect(chown(program, 65_534, 65_534) == 0 && chmod(program, 0o4755) == 0)
            let worker = try Worker("survey", in: run.directory, prefix: ["env", "-u", "LD_LIBRARY_PATH", program])
            worker.wait()
            #expect(worker.lines.last?.hasPrefix("error insecure") == true, "\(worker.lines)")
            run.say("foreign file, foreign directory and setuid refused")
        }
    }

    /// The cases of a read-only home, as a user to whom permissions apply (docs/reference/Store.md#torture-read-only).
    @Test(arguments: ReadOnlyCase.allCases)
    func `a read-only home is read, and new tokens stay in memory`(state: ReadOnlyCase) throws {
        try TortureRun.with("T10 \(state)") { run in
            // Root would bypass the permissions of files, so another user runs it.
            let user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
            let shared = run.directory.deletingLastPathComponent()
            for path in [shared.path, run.directory.path] { #expect(chmod(path, 0o755) == 0) }
            let place = try run.nested("home")
            let prefix = user + (isRoot ? [try publicWorker(run)] : [])
            #expect(!isRoot || chown(place.directory.path, 65_534, 65_534) == 0)

            let writer = try Worker("answer", in: place.directory, prefix: prefix)
            for account in 0..<5 { #expect(try writer.ask("save \(account) \(account + 1)") == "saved true") }
            switch state {
            case .cleanFile:
                // The end of its input is a clean end.
                writer.send("")
                _ = try? writer.next()
                writer.wait()
            case .logLeftBehind:
                writer.kill()
            case .logInUse:
                break
            }
            let directory = try place.location.directory
            let hasLog = access(directory + "/tokens.db-wal", F_OK) == 0
            #expect(hasLog == (state != .cleanFile))
            _ = shell("chmod 0400 '\(directory)'/* && chmod 0500 '\(directory)'")
            defer { _ = shell("chmod 0700 '\(directory)'") }

            let reader = try Worker("answer", in: place.directory, ["overlay"], prefix: prefix)
            #expect(try reader.ask("hit 3") == "hit \(Numbered.accessToken(3, 4))")
            #expect(try reader.ask("numbers 4") == "numbers 5 true")
            #expect(try reader.ask("save 7 70") == "saved false")
            #expect(try reader.ask("hit 7") == "hit \(Numbered.accessToken(7, 70))")
            #expect(try reader.ask("hit 3") == "hit \(Numbered.accessToken(3, 4))")
            reader.kill()
            writer.kill()
            run.say("read, and a new token kept in memory")
        }
    }

    enum ReadOnlyCase: String, CaseIterable {
        case cleanFile, logLeftBehind, logInUse
    }

    /// A copy of the worker that every user may run.
    private func publicWorker(_ run: TortureRun) throws -> String {
        #expect(chmod(run.directory.path, 0o755) == 0)
        let copy = run.directory.appending(path: "worker").path
        if access(copy, F_OK) != 0 {
            // A child process writes the program, because a program that this process has open for writing cannot be started.
            #expect(shell("cp '\(try Worker.path())' '\(copy)'") == 0)
        }
        #expect(chmod(copy, 0o755) == 0)
        return copy
    }

    private func shell(_ command: String) -> Int32 {
        (try? StartedProgram("/bin/sh", ["-c", command], errors: .nullDevice).end().status) ?? -1
    }
}
