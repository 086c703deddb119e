// Licensed under the MIT License. See LICENSE.

/// Hexadecimal encoding, two digits for each byte.
package enum Hexadecimal {
    /// The value of a digit in either case; `nil` for any other character.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Decodes digits in either case; `nil` for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(digit)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The digits of the bytes, in lowercase unless requested otherwise.
    package static func text(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var letters: [UInt8] = []
        for byte in bytes { letters += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: letters, as: UTF8.self)
    }
}
