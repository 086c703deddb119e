// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The types of values in a directory file. Reader, JSON schema, and writer all use them, so they always agree.
indirect enum FileShape: Sendable {
    case text(TextForm)
    /// `true` or `false`.
    case flag
    case number(ClosedRange<Int>)
    /// The value is one of these numbers.
    case numberChoice([Int])
    /// The value is one of these strings.
    case choice([String])
    case list(FileShape)
    /// An object with arbitrary member names.
    case table(FileShape)
    case object(FileObject)
    /// An object, or only the value of that member.
    case shortened(FileObject, to: String)
    /// Any JSON value.
    case any
    /// The path of a file, relative to this one, whose content becomes the value of that member.
    case textFile(of: String)

    /// The format of a string, which determines the accepted values.
    enum TextForm: Sendable {
        case plain
        case guid
        case uri
        /// An ISO 8601 date, or date and time.
        case date
        /// A value that no message may contain.
        case secret
    }

    /// The description of the shape in a message.
    var words: String {
        switch self {
        case .text(.date): "a date such as 2030-12-31 or 2030-12-31T23:59:59Z"
        case .text, .textFile: "a string"
        case .flag: "true or false"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .numberChoice(let numbers): "one of " + numbers.map(String.init).joined(separator: ", ")
        case .choice(let names): "one of " + names.joined(separator: ", ")
        case .list(.text): "a list of strings, each after '- '"
        case .list: "a list, each entry after '- '"
        case .table, .object: "an object with 'name: value' for each member"
        case .shortened: "a string, or an object"
        case .any: "a value"
        }
    }
}

/// An object of a directory file.
struct FileObject: Sendable {
    /// The name of the type of object.
    let name: String
    let summary: String
    let members: [FileMember]
    /// The member whose value may replace the whole object.
    let short: String?

    /// The shape of a value that is such an object.
    var shape: FileShape { short.map { .shortened(self, to: $0) } ?? .object(self) }

    func member(named name: String) -> FileMember? {
        members.first { $0.name == name }
    }

    /// The default values of the members.
    var standards: [String: JSONValue] {
        Dictionary(members.compactMap { member in member.standard.map { (member.name, $0) } }) { first, _ in first }
    }
}

/// A member of an object in a directory file.
struct FileMember: Sendable {
    let name: String
    let shape: FileShape
    var summary = ""
    var isRequired = false
    /// The default value.
    var standard: JSONValue?
    /// The path of the property in Microsoft Graph; `nil` if it has none, or one of a different form.
    var graphPath: [String]?
    /// The property in Microsoft Graph of an entry without the member.
    var graphDefault: JSONValue?
    /// The label of its control in the console; `nil` edits it with the rest of the entry, as JSON.
    var label: String?
}
