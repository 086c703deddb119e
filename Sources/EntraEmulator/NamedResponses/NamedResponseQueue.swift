// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The responses that a test asked for by name, for the next requests of an endpoint.
final class NamedResponseQueue: Sendable {
    private struct Entry {
        let response: NamedResponse
        let pathSuffix: String
        /// Lower-case; `nil` fits every request.
        let correlationID: String?
    }

    private let entries = Mutex<[Entry]>([])

    /// Adds responses behind the others.
    func enqueue(_ responses: [NamedResponse], pathSuffix: String, correlationID: UUID?) {
        let id = correlationID?.uuidString.lowercased()
        entries.withLock { entries in
            entries += responses.map { Entry(response: $0, pathSuffix: pathSuffix, correlationID: id) }
        }
    }

    /// The response to this request, if one was asked for; it counts as used.
    func take(for exchange: Exchange) -> NamedResponse? {
        entries.withLock { entries in
            let index = entries.firstIndex { entry in
                exchange.path.hasSuffix(entry.pathSuffix)
                    && (entry.correlationID ?? exchange.correlationID) == exchange.correlationID
            }
            return index.map { entries.remove(at: $0).response }
        }
    }

    /// Forgets all responses.
    func clear() {
        entries.withLock { $0.removeAll() }
    }
}
