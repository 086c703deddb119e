// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2).
///
/// Encoding and decoding work on bytes: a token has more than a thousand of them, and comparing characters takes fifty
/// times as long.
package enum Base64URL {
    /// Encodes `bytes` with the URL-safe alphabet and without padding.
    @inlinable package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(encode(buffer:))
            ?? Array(bytes).withUnsafeBufferPointer(encode(buffer:))
    }

    @usableFromInline static func encode(buffer bytes: UnsafeBufferPointer<UInt8>) -> String {
        let length = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: length) { text in
            var (position, end) = (0, 0)
            func next() -> UInt32 {
                defer { position += 1 }
                return UInt32(bytes[position])
            }
            func append(_ bits: UInt32) {
                text.initializeElement(at: end, to: letters.utf8Start[Int(bits & 0x3F)])
                end += 1
            }
            while position + 3 <= bytes.count {
                let bits = next() << 16 | next() << 8 | next()
                append(bits >> 18)
                append(bits >> 12)
                append(bits >> 6)
                append(bits)
            }
            switch bytes.count - position {
            case 1:
                let bits = next()
                append(bits >> 2)
                append(bits << 4)
            case 2:
                let bits = next() << 8 | next()
                append(bits >> 10)
                append(bits >> 4)
                append(bits << 2)
            default:
                break
            }
            return end
        }
    }

    /// The bytes of `text`, or `nil` if it is not base64.
    ///
    /// Also accepts padding and the standard alphabet because peers send both. Skips padding at any position, and
    /// ignores the bits after the last byte.
    package static func decode(_ text: String) -> Data? { decode(text[...]) }

    /// The bytes of a substring, or `nil` if it is not base64.
    package static func decode(_ text: Substring) -> Data? {
        withBytes(of: text) { text in
            let letters = text.contains(UInt8(ascii: "=")) ? text.filter { $0 != UInt8(ascii: "=") } : nil
            let bytes =
                letters?.withUnsafeBufferPointer { decode($0, by: values, ignoringStrayBits: true) }
                ?? decode(text, by: values, ignoringStrayBits: true)
            return bytes.map { Data($0) }
        }
    }

    /// The bytes of a substring if it is in canonical form: the URL-safe alphabet, no padding, and zeros in the bits
    /// after the last byte. Otherwise `nil`.
    package static func decodeStrictly(_ text: Substring) -> [UInt8]? {
        withBytes(of: text) { decode($0, by: strictValues, ignoringStrayBits: false) }
    }

    /// A native string provides its bytes directly. A bridged string is copied first.
    private static func withBytes<Value>(of text: Substring, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// - Returns: `nil` for a byte outside the alphabet, for a single letter at the end, which is less than a byte, or
    ///   if bits after the last byte are set in strict mode.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        by values: [UInt8],
        ignoringStrayBits: Bool
    ) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        return values.withUnsafeBufferPointer { values in
            var isBase64 = true
            let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 2) { bytes, end in
                // All values are combined and checked once: a byte without a value sets the highest bit.
                var gathered: UInt32 = 0
                var position = 0
                func next() -> UInt32 {
                    let value = UInt32(values[Int(text[position])])
                    gathered |= value
                    position += 1
                    return value
                }
                func append(_ bits: UInt32) {
                    bytes.initializeElement(at: end, to: UInt8(truncatingIfNeeded: bits))
                    end += 1
                }
                while position + 4 <= text.count {
                    let bits = next() << 18 | next() << 12 | next() << 6 | next()
                    append(bits >> 16)
                    append(bits >> 8)
                    append(bits)
                }
                var strayBits: UInt32 = 0
                switch text.count - position {
                case 2:
                    let bits = next() << 6 | next()
                    append(bits >> 4)
                    strayBits = bits & 0b1111
                case 3:
                    let bits = next() << 12 | next() << 6 | next()
                    append(bits >> 10)
                    append(bits >> 2)
                    strayBits = bits & 0b11
                default:
                    break
                }
                isBase64 = gathered < UInt32(noValue) && (ignoringStrayBits || strayBits == 0)
            }
            return isBase64 ? bytes : nil
        }
    }

    /// The letter of each six-bit value. A lookup is many times as fast as comparisons, also when decoding.
    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// The value of a byte outside the alphabet.
    private static let noValue: UInt8 = 0x80

    /// The six bits of each letter, indexed by its byte.
    private static let strictValues: [UInt8] = {
        var values = [UInt8](repeating: noValue, count: 256)
        for value in UInt8(0)..<64 { values[Int(letters.utf8Start[Int(value)])] = value }
        return values
    }()

    /// The six bits of each letter, including the two letters of the standard alphabet.
    private static let values: [UInt8] = {
        var values = strictValues
        values[Int(UInt8(ascii: "+"))] = 62
        values[Int(UInt8(ascii: "/"))] = 63
        return values
    }()
}
