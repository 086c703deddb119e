// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import UserFiles
import Yams

extension EmulatorDirectory {
    /// Reads and validates a directory file, YAML or JSON, of at most 32 MiB. The file replaces the whole default
    /// directory. Only Microsoft Graph is added if the file does not contain it.
    ///
    /// `entra-emulator seed init` writes a file to start from.
    ///
    /// - Throws: ``InvalidFile`` with the line of every error; the file is not changed. Correct it, and read it again.
    public init(contentsOf file: URL) throws(InvalidFile) {
        try self.init(contentsOf: file, pipeTimeout: .seconds(10))
    }

    /// Like ``init(contentsOf:)``, with a timeout for a pipe such as a shell's `<(…)`.
    ///
    /// - Throws: ``InvalidFile``, also if a pipe does not end in time.
    package init(contentsOf file: URL, pipeTimeout: Duration) throws(InvalidFile) {
        try self.init(named: file.relativePath) { () throws(DirectoryFileError) in
            let folder = file.absoluteURL.deletingLastPathComponent()
            return try DirectoryFile(FileText(Self.bytes(of: file, pipeTimeout: pipeTimeout)), folder: folder)
        }
    }

    /// Reads and validates the text of a directory file, YAML or JSON.
    ///
    /// - Throws: ``InvalidFile`` with the line of every error. Correct the text.
    public init(text: String) throws(InvalidFile) {
        try self.init(named: nil) { () throws(DirectoryFileError) in try DirectoryFile(FileText(text), folder: nil) }
    }

    /// Reads a directory. `name` is the file name in issues.
    private init(named name: String?, read: () throws(DirectoryFileError) -> DirectoryFile) throws(InvalidFile) {
        let issues: [InvalidFile.Issue]
        do throws(DirectoryFileError) {
            let found = try read()
            if let directory = found.directory {
                self = directory
                return
            }
            issues = found.issues
        } catch {
            issues = [error.issue]
        }
        throw InvalidFile(
            issues: issues.map { issue in
                var issue = issue
                issue.file = name
                return issue
            }
        )
    }

    private static func bytes(of file: URL, pipeTimeout: Duration) throws(DirectoryFileError) -> Data {
        do throws(FileFault) {
            return Data(try UserFile(file.path, limit: FileText.limit, pipeTimeout: pipeTimeout).bytes())
        } catch .tooLarge {
            throw FileText.tooLarge
        } catch {
            throw DirectoryFileError(problem: "the file \(error.reason)", remedy: "specify a readable file")
        }
    }
}

/// The result of reading a directory file: a directory, or all errors.
struct DirectoryFile {
    /// The directory, if there are no errors.
    let directory: EmulatorDirectory?
    /// All errors, in the order of the lines.
    let issues: [EmulatorDirectory.InvalidFile.Issue]

    /// The position of a list entry in the file.
    private struct Entry {
        let position: Int
        let node: Node
    }

    init(_ text: FileText, folder: URL?) throws(DirectoryFileError) {
        guard let root = try text.composed(), !FileReader.isNull(root) else {
            throw DirectoryFileError(
                problem: "the file is empty",
                remedy: "create one with: entra-emulator seed init FILE"
            )
        }
        guard case .mapping(let mapping) = root else {
            throw DirectoryFileError(
                at: root.mark,
                problem: "the file is not an object",
                remedy: "start it with 'tenants:', or create one with: entra-emulator seed init FILE"
            )
        }
        var reader = FileReader()
        reader.restored = text.restored
        reader.star = text.star
        reader.folder = folder
        var entries: [String: [Entry]] = [:]
        var lists: [String: [JSONValue]] = [:]
        // Read the lists entry by entry, so that an error in one entry does not hide errors in others.
        var rest: [(Node, Node)] = []
        for (key, value) in mapping {
            if case .sequence(let sequence) = value, let name = key.string,
                case .list(.object(let object)) = EmulatorDirectory.form.object.member(named: name)?.shape
            {
                let read = reader.entries(sequence, named: name, as: object)
                entries[name] = read.map { Entry(position: $0.position, node: sequence[$0.position]) }
                lists[name] = read.map(\.value)
            } else {
                rest.append((key, value))
            }
        }
        var members = reader.goodMembers(
            of: Node.Mapping(rest, .implicit, mapping.style, mapping.mark),
            as: EmulatorDirectory.form.object,
            found: Set(lists.keys)
        )
        for (name, list) in lists { members[name] = .array(list) }
        for (key, value) in rest {
            // A list of strings was read as one value, but each of its elements has a line.
            guard case .sequence(let sequence) = value, let name = key.string else { continue }
            entries[name] = sequence.enumerated().map { Entry(position: $0.offset, node: $0.element) }
        }
        Self.addPasswords(to: &members)
        let isWhole = reader.issues.isEmpty
        var issues = reader.issues.map(\.issue)
        var read: EmulatorDirectory?
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            read = try decoder.decode(EmulatorDirectory.self, from: JSONValue.object(members).encoded())
        } catch  where !isWhole {
            // An entry that others depend on was invalid, and is reported.
        } catch {
            throw DirectoryFileError(problem: "the file is invalid", remedy: "see: entra-emulator seed schema")
        }
        if let read {
            issues += InvalidEntries.all(
                of: read,
                isWhole: isWhole,
                hasAddedGraph: read.apis.count > lists["apis"]?.count ?? 0
            )
            .map { Self.place($0, in: entries) }
        }
        self.issues = issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
        directory = issues.isEmpty ? read : nil
    }

    /// Adds `defaultPassword` to users who sign in with a password and have none.
    private static func addPasswords(to members: inout [String: JSONValue]) {
        guard let password = members.removeValue(forKey: "defaultPassword"), let users = members["users"]?.array
        else { return }
        members["users"] = .array(
            users.map { user in
                guard case .object(var values) = user, values["password"] == nil, values["passwordDigest"] == nil,
                    values["agent"] == nil, ["password", nil].contains(values["customer"]?["credential"]?.string)
                else { return user }
                values["password"] = password
                return .object(values)
            }
        )
    }

    /// An invalid entry, with its line.
    private static func place(
        _ invalid: InvalidEntries.Found,
        in entries: [String: [Entry]]
    ) -> EmulatorDirectory.InvalidFile.Issue {
        let place = invalid.place.flatMap { place in
            entries[place.list].flatMap { $0.indices.contains(place.position) ? $0[place.position] : nil }
        }
        var remedy = invalid.error.remedy
        if invalid.error.problem == .missing("password") {
            remedy = "set one, or add 'defaultPassword' at the top of the file"
        }
        let mark = place.flatMap { entry in
            invalid.value.flatMap { position(of: $0, in: entry.node) } ?? entry.node.mark
        }
        let name = invalid.place.map { found in
            "\(found.list)[\(place?.position ?? found.position)]" + (found.name.map { " \($0)" } ?? "")
        }
        return DirectoryFileError(
            at: mark,
            problem: "\(name ?? invalid.error.entry) \(invalid.error.problem.sentence)",
            remedy: remedy
        ).issue
    }

    /// The position of a value in an entry.
    private static func position(of value: String, in node: Node) -> Mark? {
        switch node {
        case .scalar(let scalar): scalar.string == value ? scalar.mark : nil
        case .sequence(let sequence): sequence.lazy.compactMap { position(of: value, in: $0) }.first
        case .mapping(let mapping):
            mapping.lazy.compactMap { position(of: value, in: $0.value) ?? position(of: value, in: $0.key) }.first
        case .alias: nil
        }
    }
}
