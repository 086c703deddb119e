// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The kinds of values in a directory file. Reader, JSON schema and writer go by them, so they agree.
indirect enum FileShape: Sendable {
    case text(TextForm)
    /// `true` or `false`.
    case flag
    case number(ClosedRange<Int>)
    /// The value is one of these numbers.
    case numberChoice([Int])
    /// The value is one of these texts.
    case choice([String])
    case list(FileShape)
    /// An object whose members have any name.
    case table(FileShape)
    case object(FileObject)
    /// An object, or the value of that member alone.
    case shortened(FileObject, to: String)
    /// The name of a file beside this one, whose text becomes the value of that member.
    case textFile(of: String)

    /// The meaning of a text, which decides the texts that are accepted.
    enum TextForm: Sendable {
        case plain
        case guid
        case uri
        /// A day, or a day and a time, of ISO 8601.
        case date
        /// A value that no message repeats.
        case secret
    }

    /// The shape in the words of a message.
    var words: String {
        switch self {
        case .text(.date): "a date such as 2030-12-31 or 2030-12-31T23:59:59Z"
        case .text, .textFile: "a text"
        case .flag: "true or false"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .numberChoice(let numbers): "one of " + numbers.map(String.init).joined(separator: ", ")
        case .choice(let names): "one of " + names.joined(separator: ", ")
        case .list(.text): "a list of texts, each behind '- '"
        case .list: "a list, each entry behind '- '"
        case .table, .object: "an object, 'name: value' for each member"
        case .shortened: "a text, or an object"
        }
    }
}

/// An object of a directory file.
struct FileObject: Sendable {
    /// The word for one of them.
    let name: String
    let summary: String
    let members: [FileMember]
    /// The member whose value alone may stand for the object.
    let short: String?

    /// The shape of a value that is such an object.
    var shape: FileShape { short.map { .shortened(self, to: $0) } ?? .object(self) }

    func member(named name: String) -> FileMember? {
        members.first { $0.name == name }
    }

    /// The default values of the members that have one.
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
}
