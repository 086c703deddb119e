// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// The claims that a test makes the APIs request from users (Microsoft identity platform, "Claims challenges, claims
/// requests and client capabilities"). A challenge remains until a token has these claims.
final class ClaimsChallenges: Sendable {
    /// The claims that a token needs.
    struct Challenge: Sendable {
        /// The JSON that the APIs send.
        let text: String
        private let contexts: [String]
        private let start: Int?

        /// `nil` unless the claims are `access_token` with `acrs`, `nbf`, or both. Other claims cannot be compared with
        /// a token.
        init?(_ text: String) {
            guard let value = JSONValue(parsing: Data(text.utf8)), let wanted = value["access_token"]?.object,
                Set(wanted.keys).isSubset(of: ["acrs", "nbf"]), !wanted.isEmpty
            else { return nil }
            self.text = text
            contexts = RequestedClaims.authenticationContexts(ifAnyIn: text)
            let time = wanted["nbf"]?["value"]
            start = time?.int ?? time?.string.flatMap { Int($0) }
            guard !contexts.isEmpty || start != nil else { return nil }
        }

        func isMet(by claims: [String: JSONValue]) -> Bool {
            let given = claims["acrs"]?.array?.compactMap(\.string) ?? []
            guard contexts.allSatisfy(given.contains) else { return false }
            return start.map { claims["nbf"]?.int ?? 0 >= $0 } ?? true
        }
    }

    private let challenges = Mutex<[String: Challenge]>([:])

    /// Sets the challenge of a user; `nil` removes it.
    func set(_ challenge: Challenge?, for userID: String) {
        challenges.withLock { $0[userID] = challenge }
    }

    /// The claims that a token of the user lacks.
    func unmet(by claims: [String: JSONValue], of userID: String) -> String? {
        challenges.withLock { $0[userID] }.flatMap { $0.isMet(by: claims) ? nil : $0.text }
    }

    /// Removes all challenges.
    func removeAll() { challenges.withLock { $0.removeAll() } }
}
