// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL

extension Jobs {
    /// `turns=FILE`: commits a response with the number of each turn that it is asked for; every fiftieth turn is a
    /// sign-out. It ends with the process that asks.
    func takeTurns() throws {
        let turns = try Turns(URL(filePath: settings["turns"] ?? settings.directory + "/turns"))
        let cache = TokenCache(store: try settings.store(), clientID: Numbered.clientID)
        let parent = getppid()
        var last = turns.done
        Main.say("ready")
        while true {
            let turn = turns.asked
            if turn == last {
                guard getppid() == parent else { return }
                Turns.pause()
                continue
            }
            if Turns.isSignOut(turn) {
                try cache.signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: false)
            } else {
                // Without a refresh token the disk is not waited for.
                _ = try cache.save(Numbered.save(account: 0, number: turn, hasRefreshToken: false))
            }
            turns.done = turn
            last = turn
        }
    }
}
