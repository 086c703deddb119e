// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A value of a member of an entry.
protocol FileValue: Codable, Sendable {
    /// The shape of the value in a directory file, unless the member overrides it.
    static var fileShape: FileShape { get }
    /// The value as JSON.
    var fileValue: JSONValue { get }
}

/// A value with its own members.
protocol FileEntry: FileValue {
    static var form: EntryForm<Self> { get }
}

extension FileEntry {
    static var fileShape: FileShape { form.object.shape }
    // Only lists of entries have defaults, which are empty.
    var fileValue: JSONValue { [:] }

    init(members decoder: any Decoder) throws { self = try Self.form.entry(from: decoder) }

    func encode(members encoder: any Encoder) throws { try Self.form.write(self, to: encoder) }

    /// Encodes the members that have a value.
    public func encode(to encoder: any Encoder) throws { try encode(members: encoder) }
}

extension String: FileValue {
    static var fileShape: FileShape { .text(.plain) }
    var fileValue: JSONValue { .string(self) }
}

extension Bool: FileValue {
    static var fileShape: FileShape { .flag }
    var fileValue: JSONValue { .bool(self) }
}

extension Int: FileValue {
    static var fileShape: FileShape { .number(0...1_000) }
    var fileValue: JSONValue { .int(self) }
}

extension Date: FileValue {
    static var fileShape: FileShape { .text(.date) }
    var fileValue: JSONValue { .string(FileDate.text(self)) }
}

extension Array: FileValue where Element: FileValue {
    static var fileShape: FileShape { .list(Element.fileShape) }
    var fileValue: JSONValue { .array(map(\.fileValue)) }
}

extension Dictionary: FileValue where Key == String, Value: FileValue {
    static var fileShape: FileShape { .table(Value.fileShape) }
    var fileValue: JSONValue { .object(mapValues(\.fileValue)) }
}

extension FileValue where Self: RawRepresentable<String> & CaseIterable {
    static var fileShape: FileShape { .choice(allCases.map(\.rawValue)) }
    var fileValue: JSONValue { .string(rawValue) }
}

extension FileValue where Self: RawRepresentable<Int> & CaseIterable {
    static var fileShape: FileShape { .numberChoice(allCases.map(\.rawValue)) }
    var fileValue: JSONValue { .int(rawValue) }
}
