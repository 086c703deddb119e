// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The members of one record's JSON object. Reading removes a member. The remaining members are unknown and are
/// preserved.
struct RecordMembers: Sendable {
    /// Sorted by name, without duplicates. A record has a dozen members, and scanning them is faster than hashing their
    /// names.
    private var list: [(name: String, value: JSONValue)]

    init(_ values: [String: JSONValue] = [:]) {
        list = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Parses a JSON object; `nil` for anything else.
    init?(parsing data: Data) {
        // Foreign or damaged bytes are expected here and are not an error. The row is skipped and kept.
        guard let members = try? JSONReader.members(of: data) else { return nil }
        list = members
    }

    /// All members that were not removed.
    var values: [String: JSONValue] { Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.value) }) }

    /// The JSON text, with members sorted by name.
    var data: Data { Data(JSONWriter.bytes(ofMembers: list)) }

    subscript(name: String) -> JSONValue? {
        get { list.first { $0.name == name }?.value }
        set {
            let place = list.firstIndex { $0.name >= name } ?? list.endIndex
            if place < list.endIndex, list[place].name == name { list.remove(at: place) }
            if let newValue { list.insert((name, newValue), at: place) }
        }
    }

    /// Removes and returns a string or a number as text because other libraries write both. A member of another type
    /// remains among the unknown ones.
    mutating func takeText(_ names: String...) -> String? {
        var result: String?
        for name in names {
            guard let text = self[name]?.scalarText else { continue }
            self[name] = nil
            result = result ?? text
        }
        return result
    }

    /// Whether a part of the record's identity contains control characters, which identifiers never have and which
    /// could make two identities look alike.
    var haveUnsoundKey: Bool { Self.keys.contains { self[$0]?.string?.hasControlCharacters ?? false } }

    private static let keys = ["home_account_id", "environment", "client_id", "realm"]

    /// Removes and returns a part of a record's identity; `nil` if it is absent or blank.
    mutating func takeKey(_ name: String) -> String? {
        guard let text = self[name]?.scalarText, text.contains(where: { !$0.isWhitespace }) else { return nil }
        self[name] = nil
        return text
    }

    /// Removes and returns a token; `nil` if it is empty, or the mark that older libraries leave for a deleted one.
    mutating func takeSecret() -> Secret? {
        guard let text = self["secret"]?.string, !text.isEmpty, text != "<tombstone>" else { return nil }
        self["secret"] = nil
        return Secret(text)
    }

    /// Removes and returns a time in seconds since 1970, given as text or number; fractions are truncated.
    ///
    /// A time outside of every calendar remains among the unknown members.
    mutating func takeDate(_ names: String...) -> Date? {
        var result: Date?
        for name in names {
            guard let seconds = self[name]?.double, abs(seconds) < Self.farthestSecond else { continue }
            self[name] = nil
            result = result ?? Date(timeIntervalSince1970: seconds).wholeSeconds
        }
        return result
    }

    mutating func set(_ name: String, to text: String?) {
        if let text { self[name] = .string(text) }
    }

    /// Writes whole seconds as text, which every library accepts (docs/reference/Cache.md#fields).
    mutating func set(_ name: String, to date: Date?) {
        guard let date else { return }
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self[name] = Int64(exactly: seconds).map { .string(String($0)) }
    }

    /// The year 10000, the end of .NET's calendar.
    private static let farthestSecond = 253_402_300_800.0
}

extension JSONValue {
    /// The text, or the digits of a number.
    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .null, .bool, .array, .object: nil
        }
    }
}
