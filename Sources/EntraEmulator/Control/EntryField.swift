// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The control of an entry's member in a form of the console: its text, and the value that a user's text means.
struct EntryField {
    let member: FileMember

    /// The name in forms.
    var name: String { "m.\(member.name)" }

    private enum Kind {
        case line, secret, number, flag
        case choice([String])
        /// One element per line.
        case lines
        /// `name: value` per line.
        case table(isList: Bool)
        case json
    }

    private var kind: Kind {
        switch member.shape {
        case .text(.secret): .secret
        case .text, .textFile: .line
        case .number: .number
        case .flag: member.standard == nil ? .choice(["true", "false"]) : .flag
        case .choice(let names): .choice(names)
        case .numberChoice(let numbers): .choice(numbers.map(String.init))
        case .list(.text), .list(.choice), .list(.shortened): .lines
        case .table(.text): .table(isList: false)
        case .table(.list(.text)): .table(isList: true)
        case .list, .table, .object, .shortened, .any: .json
        }
    }

    /// The text in the control for a value.
    func text(of value: JSONValue?) -> String {
        guard let value = value ?? member.standard, value != .null else { return "" }
        switch kind {
        case .secret: return ""
        case .line, .number, .flag, .choice: return Self.plain(value)
        case .lines: return (value.array ?? []).map(Self.element).joined(separator: "\n")
        case .table:
            let rows = (value.object ?? [:]).sorted { $0.key < $1.key }
            return rows.map { "\($0.key): \(($0.value.array ?? [$0.value]).map(Self.plain).joined(separator: ", "))" }
                .joined(separator: "\n")
        case .json: return value.lines
        }
    }

    /// The value that a text in the control means; `null` for none, and `nil` to keep the current one.
    ///
    /// - Throws: `ControlRefusal` if the text has the wrong form. The directory validates the value itself.
    func value(of text: String) throws(ControlRefusal) -> JSONValue? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        let whole = lines.joined(separator: "\n")
        if case .flag = kind { return .bool(whole == "true") }
        guard !whole.isEmpty else {
            if case .secret = kind { return nil }
            return .null
        }
        switch (kind, member.shape) {
        case (.number, _), (.choice, .numberChoice), (.choice, .flag): return Self.parsed(whole) ?? .string(whole)
        case (.line, _), (.secret, _), (.choice, _), (.flag, _): return .string(whole)
        case (.lines, _):
            return .array(lines.map { line in line.first == "{" ? Self.parsed(line) ?? .string(line) : .string(line) })
        case (.table(let isList), _):
            var table: [String: JSONValue] = [:]
            for line in lines {
                // Names may contain a colon, as in api://….
                guard let colon = line.range(of: ": ") ?? line.range(of: ":", options: [.backwards, .anchored]) else {
                    throw ControlRefusal("each line of '\(member.label ?? member.name)' needs 'name: value'")
                }
                let value = line[colon.upperBound...].trimmingCharacters(in: .whitespaces)
                let elements = value.split { $0 == "," || $0 == " " }.map(String.init)
                table[String(line[..<colon.lowerBound])] = isList ? .strings(elements) : .string(value)
            }
            return .object(table)
        case (.json, _):
            guard let value = Self.parsed(text) else {
                throw ControlRefusal("'\(member.label ?? member.name)' is not valid JSON")
            }
            return value
        }
    }

    /// The values of the template.
    ///
    /// `isFixed`: Whether the user cannot change the member.
    func values(text: String, isFixed: Bool) -> [String: Any] {
        var values: [String: Any] = [
            "name": name, "label": member.label ?? member.name, "hint": member.summary, "value": text, "fixed": isFixed,
            "required": member.isRequired,
        ]
        switch kind {
        case .line: values["line"] = ["type": "text"]
        case .secret: values["line"] = ["type": "password", "value": ""]
        case .number: values["line"] = ["type": "number"]
        case .flag: values["flag"] = ["checked": text == "true"]
        case .choice(let names):
            var options = names.map { ["value": $0, "label": $0, "selected": $0 == text] as [String: Any] }
            if !member.isRequired, member.standard == nil {
                options.insert(["value": "", "label": "default", "selected": text.isEmpty], at: 0)
            }
            values["choice"] = ["options": options]
        case .lines, .table, .json:
            values["lines"] = ["rows": String(min(12, max(2, text.split(separator: "\n").count + 1)))]
        }
        return values
    }

    private static func parsed(_ text: String) -> JSONValue? { JSONValue(parsing: Data(text.utf8)) }

    private static func plain(_ value: JSONValue) -> String {
        value.string ?? String(decoding: value.encoded(), as: UTF8.self)
    }

    /// An element of a list. An object with only its short member is written as that.
    private static func element(_ value: JSONValue) -> String {
        guard let members = value.object, members.count == 1, let only = members.first?.value.string else {
            return plain(value)
        }
        return only
    }
}
