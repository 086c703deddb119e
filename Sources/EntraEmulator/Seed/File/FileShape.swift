// Licensed under the MIT License. See LICENSE.

/// The kinds of values in a directory file. Reader, JSON schema and writer go by them, so they agree.
indirect enum FileShape: Sendable {
    case text(TextForm)
    /// `true` or `false`.
    case flag
    case number(ClosedRange<Int>)
    /// One of these numbers.
    case numberChoice([Int])
    /// One of these texts.
    case choice([String])
    case list(FileShape)
    /// An object whose members have any name.
    case table(FileShape)
    case object(FileObject)
    /// An object, or the value of that member alone.
    case shortened(FileObject, to: String)
    /// The name of a file beside this one, whose text becomes the value of that member.
    case textFile(of: String)

    /// What a text is.
    enum TextForm: Sendable {
        case plain
        case guid
        case uri
        /// A day, or a day and a time, of ISO 8601.
        case date
        /// A value that no message repeats.
        case secret
    }

    static let text = FileShape.text(.plain)
    static let texts = FileShape.list(.text(.plain))

    static func choice<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> FileShape {
        .choice(type.allCases.map(\.rawValue))
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

    /// Describes each key of a type; the compiler misses none.
    init<Key: CodingKey & CaseIterable>(
        _ name: String,
        summary: String,
        adding others: [FileMember] = [],
        keys: Key.Type,
        member: (Key) -> FileMember
    ) {
        self.name = name
        self.summary = summary
        members =
            others
            + keys.allCases.map { key in
                var member = member(key)
                member.name = key.stringValue
                return member
            }
    }

    func member(named name: String) -> FileMember? {
        members.first { $0.name == name }
    }

    /// The values of the members that are left out, where they have one.
    var standards: [String: JSONValue] {
        Dictionary(members.compactMap { member in member.standard.map { (member.name, $0) } }) { first, _ in first }
    }
}

/// A member of an object in a directory file.
struct FileMember: Sendable {
    fileprivate(set) var name: String
    let shape: FileShape
    let summary: String
    let isRequired: Bool
    /// The value that a member has where it is left out.
    let standard: JSONValue?

    /// A member that has to be there.
    static func required(_ shape: FileShape, summary: String) -> FileMember {
        FileMember(name: "", shape: shape, summary: summary, isRequired: true, standard: nil)
    }

    /// A member that may be left out, with the value that it then has.
    static func optional(
        _ shape: FileShape,
        default standard: JSONValue? = nil,
        summary: String
    ) -> FileMember {
        FileMember(name: "", shape: shape, summary: summary, isRequired: false, standard: standard)
    }

    /// The same under a name that no type has.
    func named(_ name: String) -> FileMember {
        var member = self
        member.name = name
        return member
    }
}
