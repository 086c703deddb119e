// Licensed under the MIT License. See LICENSE.

import Synchronization

extension FederatedToken {
    /// A flaw in an external issuer's token, for tests. The token endpoint has to reject every such token.
    public enum Flaw: String, Sendable, CaseIterable {
        /// The token expired an hour ago.
        case expired
        /// The token becomes valid in an hour.
        case early
        /// `aud` names another audience.
        case otherAudience
        /// `iss` names a different issuer than the one that issued the token.
        case otherIssuer
        /// `sub` names another subject.
        case otherSubject
        /// The token is signed with a key that is missing from the issuer's key set.
        case unknownKey
        /// The token has no signature: `alg` is `none`.
        case unsigned
    }
}

/// The flaws of the next tokens of the issuers, in the order in which they were added.
final class FederatedFlaws: Sendable {
    private struct Entry {
        let flaw: FederatedToken.Flaw
        /// `nil` means all issuers.
        let issuer: FederatedIssuer?
        var count: Int
    }

    private let entries = Mutex<[Entry]>([])

    /// Appends a flaw.
    func enqueue(_ flaw: FederatedToken.Flaw, of issuer: FederatedIssuer?, count: Int) {
        guard count > 0 else { return }
        entries.withLock { $0.append(Entry(flaw: flaw, issuer: issuer, count: count)) }
    }

    /// Returns and consumes the flaw of the next token of an issuer, if there is one.
    func take(for issuer: FederatedIssuer) -> FederatedToken.Flaw? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.issuer ?? issuer == issuer }) else { return nil }
            let flaw = entries[index].flaw
            entries[index].count -= 1
            if entries[index].count == 0 { entries.remove(at: index) }
            return flaw
        }
    }

    /// Removes all flaws.
    func clear() { entries.withLock { $0.removeAll() } }
}
