// Licensed under the MIT License. See LICENSE.

import MSAL

/// Picks the account that a command is about.
enum AccountChoice {
    /// The account with a user name (ignoring case) or id, or the only one that is signed in.
    ///
    /// - Throws: `Failure`: `notSignedIn` if none fits, `usage` if several do.
    static func account(_ name: String?, of application: MSALPublicClientApplication) throws -> MSALAccount {
        let all = try application.allAccounts()
        let index = try choose(name, among: all.map { Candidate(name: label($0), id: $0.identifier ?? "") })
        return all[index]
    }

    /// An account as it can be named.
    struct Candidate {
        var name: String
        var id: String
    }

    /// The position of the candidate that is meant.
    static func choose(_ name: String?, among candidates: [Candidate]) throws(Failure) -> Int {
        let names = candidates.map(\.name)
        guard !candidates.isEmpty else { throw .notSignedIn("Nobody is signed in.") }
        guard let name else {
            guard candidates.count == 1 else { throw .ambiguous(names) }
            return 0
        }
        let wanted = name.lowercased()
        let matches = candidates.indices.filter {
            candidates[$0].name.lowercased() == wanted || candidates[$0].id.lowercased() == wanted
        }
        guard let match = matches.first else {
            throw .notSignedIn(
                "\(name) is not signed in.",
                remedy: "Signed in: \(names.joined(separator: ", ")). Sign in another with: msal login"
            )
        }
        guard matches.count == 1 else { throw .ambiguous(matches.map { candidates[$0].id }) }
        return match
    }

    /// How an account is called in front of people.
    static func label(_ account: MSALAccount) -> String {
        account.username ?? account.identifier ?? "an account without a name"
    }
}
