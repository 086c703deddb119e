// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A change of this client's accounts in the token store. Linux only.
public struct MSALAccountChange: Sendable {
    /// What changed.
    public enum Kind: Sendable, Hashable {
        /// The user signed in: this client can get tokens for the account.
        case added
        /// This client's tokens of the account were removed. Other clients of the store may still have theirs.
        case signedOut
        /// The account was removed from the store, for all clients.
        case removed
    }

    /// What changed.
    public let kind: Kind
    /// The account as it was last known.
    public let account: MSALAccount
}

extension MSALPublicClientApplication {
    /// The changes of this client's accounts from now on, by this process and by others that share the token store.
    /// Linux only.
    ///
    /// A change arrives within a second. Several changes of one account in that time count as one. The sequence ends
    /// when the task that iterates over it is canceled. While the store cannot be read, nothing is reported; the
    /// difference follows when it can be read again. Accounts of the identity broker of this machine are not included.
    ///
    /// ```swift
    /// for await change in try application.accountChanges() where change.kind != .added {
    ///     print("\(change.account.username ?? "An account") is signed out.")
    /// }
    /// ```
    ///
    /// - Returns: A sequence for one task.
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store cannot be read now: try again.
    public func accountChanges() throws -> AsyncStream<MSALAccountChange> {
        let (flow, time) = try throwingNSError { () throws(AuthError) in
            let client = try client()
            return (try AccountWatch(client.accounts), client.platform.time)
        }
        let (stream, continuation) = AsyncStream.makeStream(of: MSALAccountChange.self)
        let task = Task {
            var watch = flow
            while (try? await time.sleep(for: AccountWatch.interval)) != nil {
                for change in watch.changes() { continuation.yield(change) }
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// Compares the accounts in the store with those of the previous look.
private struct AccountWatch: Sendable {
    /// The time between two looks at the store's counter, which costs no system call while nothing changes.
    static let interval = Duration.milliseconds(500)

    private let flow: AccountsFlow
    private var counter: Int64?
    private var known: [String: AccountSnapshot]

    init(_ flow: AccountsFlow) throws(AuthError) {
        self.flow = flow
        counter = flow.changeCounter
        known = Self.byID(try flow.all())
    }

    /// The changes since the previous look; empty if the store cannot be read.
    mutating func changes() -> [MSALAccountChange] {
        let current = flow.changeCounter
        guard current == nil || current != counter else { return [] }
        guard let signedIn = try? Self.byID(flow.all()),
            let all = try? Self.byID(flow.all(AccountFilter(onlySignedIn: false)))
        else { return [] }
        let added = signedIn.filter { known[$0.key] == nil }.map { (MSALAccountChange.Kind.added, $0.value) }
        let gone = known.filter { signedIn[$0.key] == nil }.map {
            (all[$0.key] == nil ? MSALAccountChange.Kind.removed : .signedOut, $0.value)
        }
        (known, counter) = (signedIn, current)
        return (gone + added).sorted { $0.1.username < $1.1.username }.map { kind, snapshot in
            MSALAccountChange(kind: kind, account: MSALAccount(snapshot, hasProfiles: true))
        }
    }

    private static func byID(_ accounts: [AccountSnapshot]) -> [String: AccountSnapshot] {
        Dictionary(accounts.map { ($0.homeAccountID, $0) }) { first, _ in first }
    }
}
