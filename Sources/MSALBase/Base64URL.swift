// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2).
///
/// Both ways work on bytes: a token has more than a thousand of them, and comparing characters costs fifty times as much.
package enum Base64URL {
    /// The unpadded URL-safe text of `bytes`.
    @inlinable package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(encode(buffer:))
            ?? Array(bytes).withUnsafeBufferPointer(encode(buffer:))
    }

    @usableFromInline static func encode(buffer bytes: UnsafeBufferPointer<UInt8>) -> String {
        let length = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: length) { text in
            var (bits, width, end): (UInt32, UInt32, Int) = (0, 0, 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                width += 8
                while width >= 6 {
                    width -= 6
                    text.initializeElement(at: end, to: letter(UInt8(truncatingIfNeeded: bits >> width) & 0x3F))
                    end += 1
                }
            }
            if width > 0 {
                text.initializeElement(at: end, to: letter(UInt8(truncatingIfNeeded: bits << (6 - width)) & 0x3F))
                end += 1
            }
            return end
        }
    }

    /// The bytes of `text`, or `nil` if it is not base64.
    ///
    /// Padding and the standard alphabet are accepted too, because peers send both. Padding is skipped wherever it
    /// stands, and the bits after the last byte are not looked at.
    package static func decode(_ text: String) -> Data? { decode(text[...]) }

    /// The bytes of a part of a text, or `nil` if the part is not base64.
    package static func decode(_ text: Substring) -> Data? {
        // A native text lends its bytes. A text from elsewhere is copied first.
        text.utf8.withContiguousStorageIfAvailable(decode(buffer:))
            ?? Array(text.utf8).withUnsafeBufferPointer(decode(buffer:))
    }

    /// The bytes of a part of a text, if it is written in the one strict way: the URL-safe alphabet, no padding, and
    /// zeros in the bits after the last byte. Otherwise the result is `nil`.
    package static func decodeStrictly(_ text: Substring) -> Data? {
        guard let bytes = decode(text) else { return nil }
        let isExact = text.utf8.allSatisfy { byte in
            value(of: byte) != nil && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/")
        }
        guard isExact, let last = text.utf8.last.flatMap(value) else { return isExact && text.isEmpty ? bytes : nil }
        let strayBits: UInt8 =
            switch text.utf8.count % 4 {
            case 2: 0b1111
            case 3: 0b11
            default: 0
            }
        return last & strayBits == 0 ? bytes : nil
    }

    private static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> Data? {
        // The bytes that four letters of six bits give, and a rest. Padding makes the room a little too large.
        var bytes = Data(count: text.count / 4 * 3 + 3)
        let count = bytes.withUnsafeMutableBytes { decode(text, into: $0) }
        guard let count else { return nil }
        bytes.count = count
        return bytes
    }

    /// - Returns: The number of bytes written; `nil` if the text is not base64.
    private static func decode(_ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        var (bits, letters, end): (UInt32, Int, Int) = (0, 0, 0)
        for byte in text {
            if byte == UInt8(ascii: "=") { continue }
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            letters += 1
            guard letters % 4 == 0 else { continue }
            bytes[end] = UInt8(truncatingIfNeeded: bits >> 16)
            bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            bytes[end + 2] = UInt8(truncatingIfNeeded: bits)
            end += 3
        }
        switch letters % 4 {
        case 0:
            break
        case 2:
            bytes[end] = UInt8(truncatingIfNeeded: bits >> 4)
            end += 1
        case 3:
            bytes[end] = UInt8(truncatingIfNeeded: bits >> 10)
            bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 2)
            end += 2
        default:
            return nil  // One letter is less than a byte.
        }
        return end
    }

    private static func letter(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
