// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A kind of entry: its members, each of which is declared once, with its name, value, default and a sentence. The decoder,
/// the encoder, the directory file, its JSON schema and the control API follow this list.
struct EntryForm<Entry: Sendable>: Sendable {
    /// The entry as files and the schema describe it.
    let object: FileObject
    private let blank: Entry
    private let members: [EntryMember<Entry>]

    /// Describes a kind of entry by its members, in the order in which a file has them.
    ///
    /// `blank`: An entry with the values that members have where they are left out.
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

    /// The entry that an object describes, or the short form of one.
    func entry(from decoder: any Decoder) throws -> Entry {
        let source =
            // Whatever is no text is an object.
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

/// The reading and writing of one member.
struct EntryMember<Entry>: Sendable {
    /// Whether its value may follow from the others, which are read first.
    fileprivate let isDerived: Bool
    fileprivate let read: @Sendable (MemberSource, inout Entry) throws -> Void
    fileprivate let write: @Sendable (Entry, inout KeyedEncodingContainer<MemberName>) throws -> Void
}

/// The members of an entry while they are declared.
final class EntryMembers<Entry: Sendable> {
    /// The declaration of a member, which waits for its sentence.
    final class Declaration {
        fileprivate private(set) var member: FileMember

        fileprivate init(_ member: FileMember) {
            self.member = member
        }

        /// Says what the member is, in the schema and in messages.
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

    /// A member that has to be there.
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

    /// A text that has to be there. Where the other members are left out, it may stand for the entry.
    func short(
        _ name: String,
        at path: any WritableKeyPath<Entry, String> & Sendable,
        as shape: FileShape = String.fileShape
    ) -> Declaration {
        short = name
        return required(name, at: path, as: shape)
    }

    /// A member that may be left out, whose default is the blank entry's. Files may have to have it even so.
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

    /// A member that may have no value. `default` is what the emulator does then.
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

    /// A member that follows from the others where it is left out.
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

    /// A member that only files have.
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

/// The name of a member, as a coding key.
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
    /// The value of one member alone.
    case text(String, of: String)

    func value<Value: Decodable>(of name: MemberName) throws -> Value? {
        switch self {
        case .object(let members): try members.decodeIfPresent(Value.self, forKey: name)
        case .text(let text, let member): name.stringValue == member ? text as? Value : nil
        }
    }
}
