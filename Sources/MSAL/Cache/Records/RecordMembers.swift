// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The members of one record's JSON object. Reading takes a member out. The members that are left are unknown and are
/// kept.
struct RecordMembers: Sendable {
    /// In the order of their names, each name once. A record has a dozen members. To look through them costs less than to
    /// hash their names.
    private var list: [(name: String, value: JSONValue)]

    init(_ values: [String: JSONValue] = [:]) {
        list = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Parses a JSON object; `nil` for anything else.
    init?(parsing data: Data) {
        // Foreign or damaged bytes are expected here and are no failure. The row is skipped and kept.
        guard let members = try? JSONReader.members(of: data) else { return nil }
        list = members
    }

    /// All members that were not taken out.
    var values: [String: JSONValue] { Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.value) }) }

    /// The JSON text, members sorted by name.
    var data: Data { Data(JSONWriter.bytes(ofMembers: list)) }

    subscript(name: String) -> JSONValue? {
        get { list.first { $0.name == name }?.value }
        set {
            let place = list.firstIndex { $0.name >= name } ?? list.endIndex
            if place < list.endIndex, list[place].name == name { list.remove(at: place) }
            if let newValue { list.insert((name, newValue), at: place) }
        }
    }

    /// Takes out a text or a number as text, because peers write both. A member of another type stays among the unknown
    /// ones.
    mutating func takeText(_ names: String...) -> String? {
        var result: String?
        for name in names {
            guard let text = self[name]?.scalarText else { continue }
            self[name] = nil
            result = result ?? text
        }
        return result
    }

    /// Whether a part of the record's identity holds control characters, which no identifier has and which could make
    /// two identities look alike.
    var haveUnsoundKey: Bool {
        Self.keys.contains { self[$0]?.string?.hasControlCharacters ?? false }
    }

    private static let keys = ["home_account_id", "environment", "client_id", "realm"]

    /// Takes out a part of a record's identity; `nil` if it is absent or blank.
    mutating func takeKey(_ name: String) -> String? {
        guard let text = self[name]?.scalarText, text.contains(where: { !$0.isWhitespace }) else { return nil }
        self[name] = nil
        return text
    }

    /// Takes out a token; `nil` if it is empty, or the mark that older libraries leave in place of a deleted one.
    mutating func takeSecret() -> Secret? {
        guard let text = self["secret"]?.string, !text.isEmpty, text != "<tombstone>" else { return nil }
        self["secret"] = nil
        return Secret(text)
    }

    /// Takes out a time in seconds since 1970, as text or number; fractions are cut.
    ///
    /// A time outside of every calendar stays among the unknown members.
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

    /// Writes whole seconds as text, which every reader accepts (docs/reference/Cache.md#fields).
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
