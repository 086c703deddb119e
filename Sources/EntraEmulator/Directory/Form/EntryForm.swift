// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The form of an entry: its members, each declared once with its name, value, default, and description. The decoder,
/// the encoder, the directory file, its JSON schema, and the control API are all driven by this list.
struct EntryForm<Entry: Sendable>: Sendable {
    /// The entry as described by files and the schema.
    let object: FileObject
    private let blank: Entry
    private let members: [EntryMember<Entry>]

    /// Declares the members of an entry, in the order of a file.
    ///
    /// `blank`: An entry with the default values of its members.
    init(_ name: String, summary: String, blank: Entry, declare: (EntryMembers<Entry>) -> Void) {
        let declared = EntryMembers(blank: blank)
        declare(declared)
        object = FileObject(
            name: name,
            summary: summary,
            members: declared.declarations.map(\.member),
            short: declared.short
        )
        self.blank = blank
        members = declared.members
    }

    /// Decodes an entry from an object or its short form.
    func entry(from decoder: any Decoder) throws -> Entry {
        let source =
            // Anything but a string must be an object.
            if let short = object.short, let text = try? decoder.singleValueContainer().decode(String.self) {
                MemberSource.text(text, of: short)
            } else {
                MemberSource.object(try decoder.container(keyedBy: MemberName.self))
            }
        var entry = blank
        for member in members where !member.isDerived { try member.read(source, &entry) }
        for member in members where member.isDerived { try member.read(source, &entry) }
        return entry
    }

    func write(_ entry: Entry, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for member in members { try member.write(entry, &container) }
    }
}

/// Reads and writes one member.
struct EntryMember<Entry>: Sendable {
    /// Whether its default may be derived from the other members, which are read first.
    fileprivate let isDerived: Bool
    fileprivate let read: @Sendable (MemberSource, inout Entry) throws -> Void
    fileprivate let write: @Sendable (Entry, inout KeyedEncodingContainer<MemberName>) throws -> Void
}

/// The members of an entry during declaration.
final class EntryMembers<Entry: Sendable> {
    /// The declaration of a member, which still lacks its description.
    final class Declaration {
        fileprivate private(set) var member: FileMember

        fileprivate init(_ member: FileMember) {
            self.member = member
        }

        /// Sets the path of the property in Microsoft Graph, such as `web.logoutUrl`.
        ///
        /// `unset`: The property of an entry that does not state it.
        func graph(_ path: String, unset: JSONValue? = nil) -> Declaration {
            member.graphPath = path.split(separator: ".").map(String.init)
            member.graphDefault = unset
            return self
        }

        /// Sets the label of its control in the console.
        func label(_ text: String) -> Declaration {
            member.label = text
            return self
        }

        /// Adds the description of the member, for the schema and messages.
        func summary(_ text: String) {
            member.summary = text
        }
    }

    private let blank: Entry
    fileprivate private(set) var members: [EntryMember<Entry>] = []
    fileprivate private(set) var declarations: [Declaration] = []
    fileprivate private(set) var short: String?

    fileprivate init(blank: Entry) {
        self.blank = blank
    }

    /// A required member.
    func required<Value: FileValue>(
        _ name: String,
        at path: any WritableKeyPath<Entry, Value> & Sendable,
        as shape: FileShape = Value.fileShape
    ) -> Declaration {
        add(name, as: shape, isRequired: true, value: { $0[keyPath: path] }) { value, entry in
            guard let value else {
                throw DecodingError.keyNotFound(
                    MemberName(name),
                    .init(codingPath: [], debugDescription: "'\(name)' is missing")
                )
            }
            entry[keyPath: path] = value
        }
    }

    /// A required string, which may represent the whole entry if the other members are omitted.
    func short(
        _ name: String,
        at path: any WritableKeyPath<Entry, String> & Sendable,
        as shape: FileShape = String.fileShape
    ) -> Declaration {
        short = name
        return required(name, at: path, as: shape)
    }

    /// An optional member, whose default is taken from the blank entry. It may still be required in files.
    func optional<Value: FileValue>(
        _ name: String,
        at path: any WritableKeyPath<Entry, Value> & Sendable,
        as shape: FileShape = Value.fileShape,
        isRequiredInFiles: Bool = false
    ) -> Declaration {
        let standard = isRequiredInFiles ? nil : blank[keyPath: path].fileValue
        return add(
            name,
            as: shape,
            isRequired: isRequiredInFiles,
            standard: standard,
            value: { $0[keyPath: path] },
            take: { value, entry in if let value { entry[keyPath: path] = value } }
        )
    }

    /// An optional member without a stored value. `default` is the value that the emulator then uses.
    func optional<Value: FileValue>(
        _ name: String,
        at path: any WritableKeyPath<Entry, Value?> & Sendable,
        as shape: FileShape = Value.fileShape,
        default standard: Value? = nil
    ) -> Declaration {
        add(name, as: shape, standard: standard?.fileValue, value: { $0[keyPath: path] }) { value, entry in
            entry[keyPath: path] = value
        }
    }

    /// A member that is derived from the others if it is omitted.
    func derived<Value: FileValue>(
        _ name: String,
        at path: any WritableKeyPath<Entry, Value> & Sendable,
        as shape: FileShape = Value.fileShape,
        from derivation: @escaping @Sendable (Entry) -> Value
    ) -> Declaration {
        add(name, as: shape, isDerived: true, value: { $0[keyPath: path] }) { value, entry in
            entry[keyPath: path] = value ?? derivation(entry)
        }
    }

    /// A time in whole seconds.
    func seconds(_ name: String, at path: any WritableKeyPath<Entry, Duration> & Sendable) -> Declaration {
        let standard = blank[keyPath: path].wholeSeconds.fileValue
        let shape = FileShape.number(0...31_536_000)
        return add(name, as: shape, standard: standard, value: { $0[keyPath: path].wholeSeconds }) { value, entry in
            if let value { entry[keyPath: path] = .seconds(value) }
        }
    }

    /// A member that exists only in files.
    func ofFiles(_ name: String, as shape: FileShape = String.fileShape) -> Declaration {
        declare(FileMember(name: name, shape: shape))
    }

    private func add<Value: FileValue>(
        _ name: String,
        as shape: FileShape,
        isRequired: Bool = false,
        isDerived: Bool = false,
        standard: JSONValue? = nil,
        value: @escaping @Sendable (Entry) -> Value?,
        take: @escaping @Sendable (Value?, inout Entry) throws -> Void
    ) -> Declaration {
        let key = MemberName(name)
        let member = EntryMember<Entry>(
            isDerived: isDerived,
            read: { source, entry in try take(try source.value(of: key), &entry) },
            write: { entry, container in try container.encodeIfPresent(value(entry), forKey: key) }
        )
        members.append(member)
        return declare(FileMember(name: name, shape: shape, isRequired: isRequired, standard: standard))
    }

    private func declare(_ member: FileMember) -> Declaration {
        let declaration = Declaration(member)
        declarations.append(declaration)
        return declaration
    }
}

/// The name of a member as a coding key.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The source of the values of an entry's members.
private enum MemberSource {
    case object(KeyedDecodingContainer<MemberName>)
    /// The value of a single member.
    case text(String, of: String)

    func value<Value: Decodable>(of name: MemberName) throws -> Value? {
        switch self {
        case .object(let members): try members.decodeIfPresent(Value.self, forKey: name)
        case .text(let text, let member): name.stringValue == member ? text as? Value : nil
        }
    }
}
