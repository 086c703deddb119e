// Licensed under the MIT License. See LICENSE.

/// A pool for frequently repeated texts, such as a tenant's ID in each record of its users. Each is stored once and
/// shared.
///
/// The number of slots is fixed, and a new text may replace another one, so the memory use does not grow with the
/// number of texts. A replaced text is merely stored again later.
package struct StringInterner: Sendable {
    /// The texts. Every four slots form a group, and the hash of a text determines its group. The first slot of a group
    /// has the most recently used text. The array is empty until the first text is added.
    private var places: [String] = []
    private static let count = 256
    private static let together = 4

    /// Shorter texts need no heap memory. Longer ones are tokens, which occur once.
    private static let lengths = 16...128

    package init() {}

    /// Replaces the text with a stored one of the same bytes. Otherwise stores the text.
    package mutating func share(_ text: inout String) {
        guard Self.lengths.contains(text.utf8.count) else { return }
        var copy = text
        let (known, first) = copy.withUTF8 { (self.text(of: $0), Self.first($0)) }
        if let known {
            text = known
        } else {
            if places.isEmpty { places = Array(repeating: "", count: Self.count) }
            places[first + Self.together - 1] = text
            moveToFront(first + Self.together - 1, from: first)
        }
    }

    /// The stored text with these bytes, if any. Compares bytes because texts that compare equal may have different
    /// ones.
    mutating func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard !places.isEmpty, Self.lengths.contains(bytes.count) else { return nil }
        let first = Self.first(bytes)
        for place in first..<first + Self.together where places[place].utf8.count == bytes.count {
            let isSame = places[place].utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
            guard isSame == true else { continue }
            moveToFront(place, from: first)
            return places[first]
        }
        return nil
    }

    private mutating func moveToFront(_ place: Int, from first: Int) {
        for place in stride(from: place, to: first, by: -1) { places.swapAt(place, place - 1) }
    }

    /// The first slot of the group for texts with this hash.
    private static func first(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        // The hash is FNV-1a. The upper half is mixed into the lower half because only the lower half is used below.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x3F) * together
    }
}

extension StringInterner {
    /// Shares an optional text.
    package mutating func share(_ text: inout String?) {
        guard var known = text else { return }
        share(&known)
        text = known
    }
}
