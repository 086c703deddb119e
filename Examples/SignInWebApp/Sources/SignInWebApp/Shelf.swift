// Licensed under the MIT License. See LICENSE.

import Foundation

/// Stores small values with an expiry: the application's state for its browsers.
protocol Shelf: Sendable {
    /// The value with a name; `nil` if there is none, or if it has expired.
    func read(_ name: String) async throws -> Shelved?

    /// Stores a value, unless it has been changed since it was read.
    ///
    /// - Parameter version: The version of the value that was read; `nil` if there was none.
    /// - Returns: Whether it was stored. If not, read it again.
    func write(_ value: Data, to name: String, lifetime: Duration, over version: UInt64?) async throws -> Bool

    func remove(_ name: String) async throws
}

/// A value with the version that was read.
struct Shelved: Sendable {
    let value: Data
    let version: UInt64
}

/// A shelf in the memory of this process. After a restart it is empty.
actor MemoryShelf: Shelf {
    private struct Held {
        let shelved: Shelved
        let begun: Date
        let ends: Date
    }

    private var values: [String: Held] = [:]
    private var lastVersion: UInt64 = 0
    private let mostValues: Int

    /// The maximum number of values; beyond it, the oldest one is removed.
    init(mostValues: Int = .max) {
        self.mostValues = mostValues
    }

    func read(_ name: String) -> Shelved? { held(name)?.shelved }

    func write(_ value: Data, to name: String, lifetime: Duration, over version: UInt64?) -> Bool {
        let earlier = held(name)
        guard earlier?.shelved.version == version else { return false }
        if earlier == nil {
            values = values.filter { $0.value.ends > .now }
            if values.count >= mostValues, let oldest = values.min(by: { $0.value.begun < $1.value.begun }) {
                values[oldest.key] = nil
            }
        }
        lastVersion += 1
        values[name] = Held(
            shelved: Shelved(value: value, version: lastVersion),
            begun: earlier?.begun ?? .now,
            ends: .now.addingTimeInterval(TimeInterval(lifetime.components.seconds))
        )
        return true
    }

    func remove(_ name: String) { values[name] = nil }

    private func held(_ name: String) -> Held? { values[name].flatMap { $0.ends > .now ? $0 : nil } }
}
