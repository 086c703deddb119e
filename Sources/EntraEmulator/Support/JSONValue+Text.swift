// Licensed under the MIT License. See LICENSE.

package import Foundation

extension JSONValue {
    /// The value as UTF-8 JSON with its members in order, slashes unescaped.
    ///
    /// `JSONEncoder` walks through containers for each member, which takes ten times as long. Each token has three such
    /// texts: header, claims and response.
    ///
    /// - Throws: `EncodingError` for a number that is not finite, which JSON cannot say.
    package func encoded() throws -> Data {
        var text: [UInt8] = []
        text.reserveCapacity(1_024)
        try write(to: &text)
        return Data(text)
    }

    private func write(to text: inout [UInt8]) throws {
        switch self {
        case .null: text.append(contentsOf: "null".utf8)
        case .bool(let value): text.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): text.append(contentsOf: String(value).utf8)
        case .double(let value):
            guard value.isFinite else {
                throw EncodingError.invalidValue(
                    value,
                    .init(codingPath: [], debugDescription: "JSON has no number for \(value)")
                )
            }
            text.append(contentsOf: value.description.utf8)
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                try element.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                try member.value.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    /// RFC 8259 §7: quotation marks, backslashes and control characters are escaped.
    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                text.append(contentsOf: "\\u00".utf8)
                text.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
