// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The signed requests that were accepted. Each is kept in memory for as long as a replay would still be fresh.
final class ReplayCache: Sendable {
    /// The time at which each request expires, by its digest.
    private let spent = Mutex<[String: Date]>([:])
    private static let limit = 10_000

    /// Accepts a request once.
    ///
    /// - Throws: A fault if the request was accepted before.
    func recordUse(_ request: SignedRequest, now: Date) throws(SignedRequest.Fault) {
        let digest = request.text.digest
        let isNew = spent.withLock { spent in
            guard spent[digest] == nil else { return false }
            spent.makeRoom(for: Self.limit, at: now) { $0 }
            // The signature's time may differ in either direction, so the request remains fresh for twice the
            // tolerance.
            spent[digest] = now.addingTimeInterval(2 * TimeInterval(SignedRequest.tolerance))
            return true
        }
        guard isNew else { throw SignedRequest.Fault("The signed HTTP request was used before.") }
    }

    /// Removes all requests.
    func clear() {
        spent.withLock { $0.removeAll() }
    }
}
