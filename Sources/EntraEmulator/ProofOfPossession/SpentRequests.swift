// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The signed requests that were accepted. Each is kept in memory as long as a repetition would still be fresh.
final class SpentRequests: Sendable {
    /// The time at which each request is no longer fresh, by its digest.
    private let spent = Mutex<[String: Date]>([:])
    private static let limit = 10_000

    /// Accepts a request once.
    ///
    /// - Throws: A fault for one that was accepted before.
    func spend(_ request: SignedRequest, now: Date) throws(SignedRequest.Fault) {
        let digest = request.text.digest
        let isNew = spent.withLock { spent in
            guard spent[digest] == nil else { return false }
            spent.makeRoom(for: Self.limit, at: now) { $0 }
            // The time of the signature may be off either way, so the request stays fresh for twice the tolerance.
            spent[digest] = now.addingTimeInterval(2 * TimeInterval(SignedRequest.tolerance))
            return true
        }
        guard isNew else { throw SignedRequest.Fault("The signed HTTP request was used before.") }
    }

    /// Forgets all requests.
    func clear() {
        spent.withLock { $0.removeAll() }
    }
}
