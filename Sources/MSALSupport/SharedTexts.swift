// Licensed under the MIT License. See LICENSE.

/// Texts that occur again and again, such as a tenant's id in each record of its users. Each is kept once and shared.
///
/// There are few places, and a text may take that of another one. So this costs the same however many texts come by,
/// and a text that is not found is only a copy more.
package struct SharedTexts: Sendable {
    private var places = [String](repeating: "", count: 256)

    /// Shorter texts need no memory of their own. Longer ones are tokens, which occur once.
    private static let lengths = 16...128

    package init() {}

    /// Replaces the text by one of the same bytes that is kept already. Otherwise the text itself is kept.
    package mutating func share(_ text: inout String) {
        guard Self.lengths.contains(text.utf8.count) else { return }
        var copy = text
        let (known, place) = copy.withUTF8 { (self.text(of: $0), Self.place($0)) }
        if let known { text = known } else { places[place] = text }
    }

    /// The text of these bytes if it is kept already. Bytes are compared, because texts that are equal may differ in
    /// them.
    func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard Self.lengths.contains(bytes.count) else { return nil }
        let known = places[Self.place(bytes)]
        let isSame = known.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
        return isSame == true ? known : nil
    }

    private static func place(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        // FNV-1a, its halves mixed.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0xFF)
    }
}

extension SharedTexts {
    /// The same for a text that may be missing.
    package mutating func share(_ text: inout String?) {
        guard var known = text else { return }
        share(&known)
        text = known
    }
}
