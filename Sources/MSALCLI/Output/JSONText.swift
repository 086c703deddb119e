// Licensed under the MIT License. See LICENSE.

import Foundation

/// The JSON that the command writes: snake_case members in alphabetical order, dates in RFC 3339 and UTC.
enum JSONText {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        // Encoding fails only for infinite numbers, and no report holds a floating-point number.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// A tree of Foundation objects as JSON.
    static func pretty(_ value: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed,
        ]
        // The caller gets nil for a value that JSON cannot hold.
        return (try? JSONSerialization.data(withJSONObject: value, options: options))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Strings, and objects of them, as JSON in one line.
    static func line(_ value: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        // Foundation's own objects are always JSON.
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
