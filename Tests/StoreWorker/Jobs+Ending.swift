// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL
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
        try store.rotateKeys(KeyPatience())
        Main.say("rotated")
    }

    /// Saves, and ends while the store is held, as most programs do.
    func endHoldingTheStore() throws {
        let store = try settings.store()
        _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
        Main.say("saved \(try Numbered.numbers(of: 0, in: store).isWhole)")
        withExtendedLifetime(store) { exit(0) }
    }

    /// Opens the store, forks, and uses it on both sides: the parent closes it while the child goes on. The child must
    /// find and keep everything.
    func workAfterFork() throws {
        var store: SQLiteStore? = try settings.store()
        guard let parents = store else { return }
        _ = try TokenCache(store: parents, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
        _ = try Numbered.numbers(of: 0, in: parents)

        var barrier: [Int32] = [0, 0]
        guard pipe(&barrier) == 0, let child = ForkedProcess.fork() else { return Main.say("error fork") }
        if child == 0 {
            // Waits until the parent has closed its connections.
            var byte: UInt8 = 0
            close(barrier[1])
            _ = read(barrier[0], &byte, 1)
            do {
                let cache = TokenCache(store: parents, clientID: Numbered.clientID)
                for number in 1...20 { _ = try cache.save(Numbered.save(account: 1, number: number)) }
                Main.say("child \(try Numbered.numbers(of: 0, in: parents).isWhole)")
            } catch {
                Main.say("error child \(error)")
            }
            _exit(0)
        }
        _ = try TokenCache(store: parents, clientID: Numbered.clientID).save(Numbered.save(account: 2, number: 1))
        store = nil
        try withExtendedLifetime(store) {
            _ = write(barrier[1], [1], 1)
            // While the child works: others come and go, each the last one as far as it can see.
            for number in 1...20 {
                let other = TokenCache(store: try settings.store(), clientID: Numbered.clientID)
                _ = try other.save(Numbered.save(account: 3, number: number))
            }
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        Main.say("parent \(status)")
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
