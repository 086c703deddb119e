// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
package import MSAL
import MSALBase
import MSALCore
package import SealedStore

/// What a worker can be told to do.
struct Jobs {
    let settings: WorkerSettings

    init(_ settings: WorkerSettings) { self.settings = settings }

    func run(_ job: String) async throws {
        limitFiles()
        switch job {
        case "save": try saveInALoop()
        case "mixed": try mixedOperations()
        case "alternate": try alternateDurability()
        case "survey": try survey()
        case "empty": try emptyInALoop()
        case "answer": try answerCommands()
        case "rotate": try rotate()
        case "hold": try endHoldingTheStore()
        case "fork": try workAfterFork()
        case "refresh": try await refreshSilently()
        case "turns": try takeTurns()
        default: Main.say("error unknown-job \(job)")
        }
    }

    /// `limit=BYTES`: the largest file the process may write.
    private func limitFiles() {
        guard let limit = settings["limit"].flatMap({ UInt($0) }) else { return }
        // Over the limit a write fails, as on a full disk, and the process is not ended.
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit(rlim_cur: limit, rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limits)
    }

    /// `first=1 count=1000000 accounts=3 padding=1500`: saves numbered responses; every tenth is followed by a
    /// sign-out.
    private func saveInALoop() throws {
        let cache = TokenCache(
            store: settings["overlay"] == nil ? try settings.store() : try settings.bufferedStore(),
            clientID: Numbered.clientID
        )
        let accounts = settings.number("accounts", default: 3)
        let first = settings.number("first", default: 1)
        for number in first..<first + settings.number("count", default: 1_000_000) {
            let account = number % accounts
            do {
                let saved = try cache.save(
                    Numbered.save(
                        account: account,
                        number: number,
                        padding: settings.number("padding", default: 0)
                    )
                )
                Main.say("\(saved ? "saved" : "kept") \(account) \(number)")
            } catch {
                Main.say("failed \(error.kind) \(account) \(number)")
                continue
            }
            if number % 10 == 0, settings["signout"] != "no" {
                try cache.signOut(homeAccountID: Numbered.homeAccountID(account), wipeAccount: false)
                Main.say("signedOut \(account) \(number)")
            }
        }
    }

    /// Saves without pause: even numbers with a refresh token, which must survive a power cut, odd ones without.
    private func alternateDurability() throws {
        let cache = TokenCache(store: try settings.store(), clientID: Numbered.clientID)
        let first = settings.number("first", default: 1)
        for number in first..<first + 1_000_000 {
            let isFull = number % 2 == 0
            let account = number % 3 + (isFull ? 0 : 100)
            _ = try cache.save(Numbered.save(account: account, number: number, hasRefreshToken: isFull))
            Main.say("\(isFull ? "full" : "normal") \(account) \(number)")
        }
    }

    /// `accounts=60 repair`: looks at everything, then writes: what a user of a damaged store does, with `repair` after
    /// the command of this name.
    private func survey() throws {
        let store = try settings.store()
        if settings["repair"] != nil { _ = try store.repair(KeyAccessOptions()) }
        let accounts = settings.number("accounts", default: 60)
        var whole = 0
        for account in 0..<accounts {
            let numbers = try Numbered.numbers(of: account, in: store)
            if numbers.isWhole, numbers.refreshToken != nil { whole += 1 }
        }
        Main.say("whole \(whole)")
        let cache = TokenCache(store: store, clientID: Numbered.clientID)
        _ = try cache.save(Numbered.save(account: 999, number: 1))
        Main.say("saved \(try Numbered.numbers(of: 999, in: store).isWhole)")
        if let recovered = store.recovered {
            Main.say("recovered \(recovered.rowsKept) \(recovered.rowsLost.map(String.init) ?? "unknown")")
        }
        Main.say("faults \(try store.damage().count)")
    }

    /// `id=7 seed=1 count=50 accounts=64`: saves into the account of its own number; between that, looks at others'.
    private func mixedOperations() throws {
        let id = settings.number("id", default: 0)
        let accounts = settings.number("accounts", default: 64)
        var random = SeededRandom(seed: UInt64(settings.number("seed", default: 1)) &+ UInt64(id))
        let store = try settings.store()
        let cache = TokenCache(store: store, clientID: Numbered.clientID)
        for number in 1...settings.number("count", default: 50) {
            let start = ContinuousClock.now
            do {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    _ = try cache.save(Numbered.save(account: id, number: number))
                    Main.say("saved \(id) \(number)")
                case 4..<5:
                    try cache.signOut(homeAccountID: Numbered.homeAccountID(id), wipeAccount: true)
                    Main.say("signedOut \(id) \(number)")
                default:
                    let other = Int.random(in: 0..<accounts, using: &random)
                    let numbers = try Numbered.numbers(of: other, in: store)
                    Main.say(numbers.isWhole ? "whole \(other) \(number)" : "torn \(other) \(numbers)")
                }
            } catch {
                Main.say("failed \(error.kind) \(id) \(number) \(error.message)")
            }
            let time = start.duration(to: .now)
            let micros = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
            Main.say("micros \(micros)")
        }
    }

    /// `overlay padding=1500`: obeys the lines of the standard input, one answer each:
    /// `hit A`, `save A N`, `refresh A N` (redeems what `begin A` found), `begin A`, `signout A`, `numbers A`.
    private func answerCommands() throws {
        let store: any TokenStore =
            settings["overlay"] == nil ? try settings.store() : try settings.bufferedStore()
        let cache = TokenCache(store: store, clientID: Numbered.clientID)
        var redeemed: [Int: RefreshTokenRecord] = [:]
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            let account = words.count > 1 ? Int(words[1]) ?? 0 : 0
            let number = words.count > 2 ? Int(words[2]) ?? 0 : 0
            switch words.first {
            case "hit":
                let hit = try cache.hit(account)
                Main.say("hit \(hit ?? "none")")
            case "save":
                let padding = settings.number("padding", default: 0)
                let saved = try cache.save(Numbered.save(account: account, number: number, padding: padding))
                Main.say("saved \(saved)")
            case "begin":
                redeemed[account] = try cache.refreshTokens(
                    homeAccountID: Numbered.homeAccountID(account),
                    environments: [Numbered.environment]
                ).app
                Main.say("began \(redeemed[account] != nil)")
            case "refresh":
                let save = Numbered.save(account: account, number: number, redeemed: redeemed[account])
                Main.say("saved \(try cache.save(save))")
            case "signout":
                try cache.signOut(homeAccountID: Numbered.homeAccountID(account), wipeAccount: words.last == "wipe")
                Main.say("signedOut \(account)")
            case "numbers":
                let numbers = try Numbered.numbers(of: account, in: store)
                Main.say("numbers \(numbers.refreshToken.map(String.init) ?? "none") \(numbers.isWhole)")
            default:
                Main.say("error unknown-command \(line)")
            }
        }
    }
}

extension TokenCache {
    /// The secret of the account's access token, if there is one.
    package func hit(_ account: Int) throws(StoreError) -> String? {
        let query = AccessTokenQuery(
            homeAccountID: Numbered.homeAccountID(account),
            environments: [Numbered.environment],
            realm: Numbered.tenant,
            scopes: ScopeSet(parsing: Numbered.scope)
        )
        return try accessToken(for: query, now: Numbered.now, buffer: .zero)?.token.secret.exposed
    }
}
