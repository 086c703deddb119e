// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Writes the fields of a value of the store, one after the other, without their names. ``ValueReader`` reads them in the
/// same order (docs/reference/Services.md#value-form).
///
/// A value is mostly tokens and ids, and has many texts twice. So a text is written in parts, which its periods divide. A part
/// that is base64url, as those of a token are, is written as the bytes that it stands for. A part that came before is
/// written as its number.
struct ValueWriter {
    /// The bytes that were written so far.
    private(set) var bytes: [UInt8] = []
    /// The numbers of parts, by their bytes: texts of different bytes can be equal.
    private var numbers = usualNumbers
    private var nextNumber = usualNumbers.count

    /// Begins a value. `known`: texts that the reader has before it reads.
    init(knowing known: [String] = []) {
        for part in known.flatMap(ValuePart.all) { add(Array(part.utf8)) }
    }

    /// Groups of seven bits, the lowest first. The highest bit of a byte says that more follow.
    mutating func write(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// 0, -1, 1, -2 and so on become 0, 1, 2, 3, so that numbers near zero are short.
    mutating func write(signed number: Int64) { write(number: UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func write(count: Int) { write(number: UInt64(count)) }

    mutating func write(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    mutating func write(text: String) {
        let parts = ValuePart.all(of: text)
        write(count: parts.count)
        for part in parts { write(part: part) }
    }

    mutating func write(texts: [String]) {
        write(count: texts.count)
        for text in texts { write(text: text) }
    }

    /// A one and the value, or a zero.
    mutating func write<Value>(optional value: Value?, by write: (inout ValueWriter, Value) -> Void) {
        self.write(count: value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    private mutating func write(part: Substring) {
        let plain = Array(part.utf8)
        if let number = plain.count <= Self.longest ? numbers[plain] : nil {
            return write(number: ValuePart.known.head(number))
        }
        add(plain)
        let packed = Base64URL.decodeStrictly(part)
        let bytes = packed ?? plain
        write(number: (packed == nil ? ValuePart.text : .base64URL).head(bytes.count))
        write(raw: bytes)
    }

    private mutating func add(_ part: [UInt8]) {
        if part.count <= Self.longest, numbers[part] == nil { numbers[part] = nextNumber }
        nextNumber += 1
    }

    /// The bytes of the longest part that is looked for. A longer one is a secret, which a value has once.
    private static let longest = 64

    private static let usualNumbers = Dictionary(
        uniqueKeysWithValues: ValuePart.usual.enumerated().map { (Array($1.utf8), $0) }
    )
}

/// The form in which a part of a text is written. The part begins with a number, whose lowest two bits are the form.
enum ValuePart: UInt64 {
    /// UTF-8. The rest of the number is the count of bytes.
    case text
    /// The bytes that base64url stands for, and their count.
    case base64URL
    /// A part that came before, and its number.
    case known

    func head(_ number: Int) -> UInt64 { UInt64(number) << 2 | rawValue }

    /// The parts of a text. Even the empty text has one.
    static func all(of text: String) -> [Substring] { text.parts(at: UInt8(ascii: ".")) }

    /// The parts that all readers know: names that most ID tokens have, and words of most tokens. They have the first
    /// numbers, so this list never changes.
    static let usual = [
        "Bearer", "openid", "profile", "offline_access", "aud", "email", "exp", "groups", "iat", "idp", "iss",
        "login_hint", "name", "nbf", "nonce", "oid", "preferred_username", "rh", "roles", "sid", "sub", "tid", "uti",
        "ver",
    ]
}
