// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import UserFiles
import Yams

/// Reads a tree according to the shapes of its values, and collects all errors.
struct FileReader {
    /// The name of a member, or the position in a list.
    private enum Step {
        case member(String)
        case position(Int)
    }

    /// Restores the characters that ``FileText`` replaced in a value.
    var restored: (String) -> String = { $0 }
    /// The replacement character that marks a former alias at the start of a value; `nil` if the file has no aliases.
    var star: Unicode.Scalar?
    /// The folder for relative file names; `nil` does not allow files.
    var folder: URL?
    /// The description of the whole file or body in a message.
    var root = "the file"
    private(set) var issues: [DirectoryFileError] = []
    private var path: [Step] = []

    /// The maximum number of issues, so that the first ones remain visible.
    static let mostIssues = 100

    /// Reports an issue.
    mutating func report(_ problem: String, remedy: String, at node: Node?) {
        guard issues.count < Self.mostIssues else { return }
        issues.append(DirectoryFileError(at: node?.mark, problem: problem, remedy: remedy))
    }

    /// The value of a node; `nil` if there is none or it has issues.
    mutating func value(of node: Node, as shape: FileShape) -> JSONValue? {
        if case .any = shape { return json(node) }
        guard case .scalar(let scalar) = node else { return collection(node, as: shape) }
        let text = restored(scalar.string)
        let isQuoted = scalar.style != .plain && scalar.style != .any
        if !isQuoted, let star, scalar.string.unicodeScalars.first == star {
            report(
                "\(here) starts with *, which is an alias in YAML; aliases are not supported",
                remedy: text == "*" ? "put '*' in quotes" : "use the value itself, or put it in quotes",
                at: node
            )
            return nil
        }
        switch shape {
        case .text(let form):
            guard isQuoted || !Self.isNumberOrFlag(text) else {
                return reject(node, shape: shape, remedy: "put it in quotes")
            }
            return self.text(text, as: form, at: node)
        case .textFile:
            return isQuoted || !Self.isNumberOrFlag(text) ? file(text, at: node) : reject(node, shape: shape)
        case .flag:
            guard !isQuoted, let flag = Self.flag(text) else {
                return reject(node, shape: shape, remedy: "use true or false without quotes")
            }
            return .bool(flag)
        case .number(let range):
            guard !isQuoted, let number = Int(text), range.contains(number) else { return reject(node, shape: shape) }
            return .int(number)
        case .numberChoice(let numbers):
            guard !isQuoted, let number = Int(text), numbers.contains(number) else { return reject(node, shape: shape) }
            return .int(number)
        case .choice(let names):
            guard let name = names.first(where: { $0 == text }) else {
                let near = NearestName.of(text, in: names).map { "did you mean '\($0)'?" }
                return reject(node, shape: shape, remedy: near ?? "choose one of them")
            }
            return .string(name)
        case .shortened(let object, let member):
            return object.member(named: member).flatMap { value(of: node, as: $0.shape) }
        case .list, .table, .object, .any: return reject(node, shape: shape)
        }
    }

    /// Any value, with the types of YAML's core schema.
    private func json(_ node: Node) -> JSONValue {
        switch node {
        case .sequence(let sequence): return .array(sequence.map(json))
        case .mapping(let mapping):
            return .object(Dictionary(mapping.map { (restored($0.key.string ?? ""), json($0.value)) }) { $1 })
        case .scalar(let scalar):
            let text = restored(scalar.string)
            guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
            if Self.isNull(node) { return .null }
            return Self.flag(text).map { .bool($0) } ?? JSONValue(parsing: Data(text.utf8)) ?? .string(text)
        case .alias: return .null
        }
    }

    private mutating func collection(_ node: Node, as shape: FileShape) -> JSONValue? {
        switch (node, shape) {
        case (.sequence(let sequence), .list(let element)):
            return .array(list(sequence, of: element).map(\.value))
        case (.mapping(let mapping), .table(let element)):
            return table(mapping, of: element)
        case (.mapping(let mapping), .object(let object)), (.mapping(let mapping), .shortened(let object, _)):
            return members(of: mapping, as: object).map { .object($0) }
        default: return reject(node, shape: shape)
        }
    }

    /// The elements without issues, with their positions.
    private mutating func list(_ sequence: Node.Sequence, of shape: FileShape) -> [(position: Int, value: JSONValue)] {
        var values: [(position: Int, value: JSONValue)] = []
        for (position, element) in sequence.enumerated() {
            path.append(.position(position))
            defer { path.removeLast() }
            if Self.isNull(element) {
                report("\(here) is empty", remedy: "add a value, or remove the entry", at: element)
            } else if let value = value(of: element, as: shape) {
                values.append((position, value))
            }
        }
        return values
    }

    private mutating func table(_ mapping: Node.Mapping, of shape: FileShape) -> JSONValue? {
        var values: [String: JSONValue] = [:]
        for (key, element) in mapping {
            guard let name = key.scalar.map({ restored($0.string) }) else {
                report("\(here) has a name that is not a string", remedy: "use 'name: value'", at: key)
                continue
            }
            path.append(.member(name))
            if let value = value(of: element, as: shape) { values[name] = value }
            path.removeLast()
        }
        return .object(values)
    }

    /// The members of an object; `nil` if they have issues.
    private mutating func members(of mapping: Node.Mapping, as object: FileObject) -> [String: JSONValue]? {
        let before = issues.count
        let values = goodMembers(of: mapping, as: object)
        return issues.count == before ? values : nil
    }

    /// The members of an object that have no issues.
    ///
    /// `found`: Members that were found elsewhere.
    mutating func goodMembers(
        of mapping: Node.Mapping,
        as object: FileObject,
        found: Set<String> = []
    ) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for (key, element) in mapping {
            guard let name = key.scalar.map({ restored($0.string) }), let member = object.member(named: name) else {
                reportUnknown(key, in: object)
                continue
            }
            if Self.isNull(element) { continue }
            path.append(.member(name))
            if let value = value(of: element, as: member.shape) {
                if case .textFile(let target) = member.shape { values[target] = value } else { values[name] = value }
            }
            path.removeLast()
        }
        for member in object.members
        where member.isRequired && values[member.name] == nil && !found.contains(member.name) {
            // A member that exists but is invalid was already reported. A file may replace a certificate.
            let names = member.name == "pem" ? ["pem", "file"] : [member.name]
            guard !mapping.contains(where: { names.contains($0.key.string ?? "") && !Self.isNull($0.value) })
            else { continue }
            report("\(here) has no '\(member.name)'", remedy: "add it: \(member.summary)", at: .mapping(mapping))
        }
        return values
    }

    // MARK: Texts

    private mutating func text(_ text: String, as form: FileShape.TextForm, at node: Node) -> JSONValue? {
        switch form {
        case .plain, .guid, .uri: return .string(text)
        case .secret:
            guard text != FileWriter.placeholder else {
                report(
                    "\(here) is '\(FileWriter.placeholder)', the placeholder for a secret that was not exported",
                    remedy: "insert the secret, or export the directory with --with-secrets",
                    at: node
                )
                return nil
            }
            return .string(text)
        case .date:
            guard let date = FileDate.normalized(text) else { return reject(node, shape: .text(.date)) }
            return .string(date)
        }
    }

    private mutating func file(_ name: String, at node: Node) -> JSONValue? {
        guard let folder else {
            report("\(here) cannot be used here", remedy: "use the text of the file as 'pem'", at: node)
            return nil
        }
        // A directory file may come from another person, so it can only read certificates in its own folder.
        let url = URL(fileURLWithPath: name, relativeTo: folder).resolvingSymlinksInPath()
        let root = folder.resolvingSymlinksInPath().path
        guard url.path.hasPrefix(root == "/" ? root : root + "/"),
            let text = try? UserFile(url.path, limit: 1 << 20).text(), RegisteredCertificate(pem: text) != nil
        else {
            report(
                "\(here) names '\(name)', which is not a PEM certificate with an RSA key in the folder of this file",
                remedy: "specify such a file in that folder or below it, or use its text as 'pem'",
                at: node
            )
            return nil
        }
        return .string(text)
    }

    // MARK: Rejected values

    private mutating func reject(_ node: Node, shape: FileShape, remedy: String? = nil) -> JSONValue? {
        report("\(here) must be \(shape.words), not \(Self.words(for: node))", remedy: remedy ?? "change it", at: node)
        return nil
    }

    private mutating func reportUnknown(_ key: Node, in object: FileObject) {
        let names = object.members.map(\.name).filter { $0 != "$schema" }
        let allowed = "allowed: " + names.joined(separator: ", ")
        guard let name = key.scalar.map({ restored($0.string) }) else {
            return report("\(here) has a name that is not a string", remedy: allowed, at: key)
        }
        // A secret followed by a colon looks like a name.
        guard object.name != Self.secret else {
            return report("\(here) has an unknown member", remedy: allowed, at: key)
        }
        let near = NearestName.of(name, in: names).map { "did you mean '\($0)'?" }
        report("\(here) has an unknown member '\(name.prefix(64))'", remedy: near ?? allowed, at: key)
    }

    private static let secret = EmulatorDirectory.ClientSecret.form.object.name

    /// The position of the current value, as used in a message.
    private var here: String {
        guard !path.isEmpty else { return root }
        return path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + name.prefix(64)
            case .position(let position): text += "[\(position)]"
            }
        }
    }

    // MARK: Plain values

    static func isNull(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    private static func isNumberOrFlag(_ text: String) -> Bool {
        if flag(text) != nil { return true }
        guard let first = text.utf8.first, first <= 0x39, first >= 0x2B else { return false }
        return Double(text) != nil
    }

    private static func words(for node: Node) -> String {
        switch node {
        case .mapping: "an object"
        case .sequence: "a list"
        case .alias: "an alias"
        case .scalar(let scalar):
            if scalar.style != .plain && scalar.style != .any {
                "this string"
            } else if flag(scalar.string) != nil {
                "true or false"
            } else if isNumberOrFlag(scalar.string) {
                "a number"
            } else {
                isNull(node) ? "nothing" : "this string"
            }
        }
    }
}

extension FileReader {
    /// The entries of a list of objects that have no issues, with their positions.
    mutating func entries(
        _ sequence: Node.Sequence,
        named name: String,
        as object: FileObject
    ) -> [(position: Int, value: JSONValue)] {
        path.append(.member(name))
        defer { path.removeLast() }
        return list(sequence, of: .object(object))
    }
}
