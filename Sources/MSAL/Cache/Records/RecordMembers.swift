// Licensed under the MIT License. See LICENSE.

import Foundation

/// The members of one record's JSON object. Reading takes a member out; what is left is unknown and is kept.
struct RecordMembers: Sendable {
    var values: [String: JSONValue]

    init(_ values: [String: JSONValue] = [:]) {
        self.values = values
    }

    /// Parses a JSON object; `nil` for anything else.
    init?(parsing data: Data) {
        // Foreign or damaged bytes are an answer here, not a failure: the row is skipped and kept.
        guard let members = try? JSONDecoder().decode([String: Member].self, from: data) else { return nil }
        values = members.mapValues(\.value)
    }

    /// The JSON text, members sorted by name.
    var data: Data { Data(JSONValue.object(values).text.utf8) }

    /// Takes out a text; a member of another type stays among the unknown ones.
    mutating func takeText(_ names: String...) -> String? {
        var found: String?
        for name in names {
            guard let text = values[name]?.string else { continue }
            values[name] = nil
            found = found ?? text
        }
        return found
    }

    /// Takes out a time in seconds since 1970, as text or number; fractions are cut.
    mutating func takeDate(_ names: String...) -> Date? {
        var found: Date?
        for name in names {
            guard let seconds = values[name]?.double, seconds.isFinite else { continue }
            values[name] = nil
            found = found ?? Date(timeIntervalSince1970: seconds).wholeSeconds
        }
        return found
    }

    mutating func set(_ name: String, _ text: String?) {
        if let text { values[name] = .string(text) }
    }

    /// Writes whole seconds as text, which every reader accepts (token-cache.md 1.1).
    mutating func set(_ name: String, _ date: Date?) {
        guard let date else { return }
        let seconds = date.timeIntervalSince1970.rounded(.down)
        values[name] = Int64(exactly: seconds).map { .string(String($0)) }
    }
}

/// A member that is nearly always text: trying that first makes decoding several times faster.
private struct Member: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {  // A mismatch is the question asked.
            value = .string(text)
        } else {
            value = try JSONValue(from: decoder)
        }
    }
}
