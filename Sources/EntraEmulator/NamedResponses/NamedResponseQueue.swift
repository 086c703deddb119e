// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The named responses that a test requested for the next requests of an endpoint.
final class NamedResponseQueue: Sendable {
    private struct Entry {
        let response: NamedResponse
        let pathSuffix: String
        /// In lower case; `nil` matches every request.
        let correlationID: String?
    }

    private let entries = Mutex<[Entry]>([])

    /// Appends responses.
    func enqueue(_ responses: [NamedResponse], pathSuffix: String, correlationID: UUID?) {
        let id = correlationID?.uuidString.lowercased()
        entries.withLock { entries in
            entries += responses.map { Entry(response: $0, pathSuffix: pathSuffix, correlationID: id) }
        }
    }

    /// Returns and consumes the response to this request, if there is one.
    func take(for exchange: Exchange) -> NamedResponse? {
        entries.withLock { entries in
            let index = entries.firstIndex { entry in
                exchange.path.hasSuffix(entry.pathSuffix)
                    && (entry.correlationID ?? exchange.correlationID) == exchange.correlationID
            }
            return index.map { entries.remove(at: $0).response }
        }
    }

    /// Removes all responses.
    func clear() { entries.withLock { $0.removeAll() } }
}
