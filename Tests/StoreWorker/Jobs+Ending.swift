// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL
import SealedStore
import Synchronization

/// Jobs whose process ends, or divides, in the middle.
extension Jobs {
    /// `die=STEP skip=N`: changes all keys of the store and dies, as by `kill -9`, at the step of this name after N
    /// others of the same name. Without `die` it finishes.
    func rotate() throws {
        let fatal = settings["die"]
        let remaining = Mutex(settings.number("skip", default: 0))
        let store = try settings.store { step in
            Main.say("step \(step.rawValue)")
            guard step.rawValue == fatal else { return }
            let isTime = remaining.withLock { left in
                defer { left -= 1 }
                return left == 0
            }
            if isTime { kill(getpid(), SIGKILL) }
        }
        try store.rotateKeys(KeyAccessOptions())
        Main.say("rotated")
    }

    /// Saves, and ends while the store is held, as most programs do.
    func endHoldingTheStore() throws {
        let store = try settings.store()
        _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
        Main.say("saved \(try Numbered.numbers(of: 0, in: store).isWhole)")
        withExtendedLifetime(store) { exit(0) }
    }

    /// Deletes every record, moves the log into the file and begins it anew, again and again.
    func emptyInALoop() throws {
        let store = try settings.store()
        Main.say("ready")
        while true {
            try store.deleteAllRecords()
            usleep(.random(in: 0...3000))
        }
    }

    /// Opens the store, forks, and uses it on both sides: the parent closes it when the child has opened it, and the
    /// child goes on. The child must find and keep everything.
    func workAfterFork() throws {
        var store: SQLiteStore? = try settings.store()
        _ = try save(account: 0, number: 1, in: store)

        guard let opened = Signal(), let closed = Signal(), let child = ForkedProcess.fork() else {
            return Main.say("error fork")
        }
        if child == 0 {
            do {
                _ = try save(account: 1, number: 1, in: store)
                opened.give()
                closed.wait()
                for number in 2...20 { _ = try save(account: 1, number: number, in: store) }
                let isWhole = try store.map { try Numbered.numbers(of: 0, in: $0).isWhole }
                Main.say("child \(isWhole == true)")
            } catch {
                Main.say("error child \(error)")
            }
            _exit(0)
        }
        _ = try save(account: 2, number: 1, in: store)
        opened.wait()
        store = nil
        closed.give()
        // While the child works: others come and go, each the last one as far as it can see.
        for number in 1...20 { _ = try save(account: 3, number: number, in: settings.store()) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        Main.say("parent \(status)")
    }

    private func save(account: Int, number: Int, in store: SQLiteStore?) throws -> Bool? {
        guard let store else { return nil }
        return try TokenCache(store: store, clientID: Numbered.clientID)
            .save(Numbered.save(account: account, number: number))
    }
}

/// What one side of a fork tells the other, once. A side that dies tells it, too.
private struct Signal {
    private let reading: Int32
    private let writing: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    func give() { _ = write(writing, [1], 1) }

    func wait() {
        close(writing)
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }
}

/// `fork`, which Swift hides because little works after it; that little is what is tested here.
enum ForkedProcess {
    static func fork() -> pid_t? {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { return nil }
        return unsafeBitCast(symbol, to: Fork.self)()
    }
}
