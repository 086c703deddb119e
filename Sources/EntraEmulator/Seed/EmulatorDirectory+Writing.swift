// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
import Yams

extension EmulatorDirectory {
    /// The formats of a directory file.
    public enum FileFormat: String, Sendable, CaseIterable {
        /// YAML, in the order of the schema.
        case yaml
        /// JSON, sorted by name.
        case json
    }

    /// The text of a directory file with this directory. Members with default values are omitted.
    ///
    /// `withSecrets`: Whether passwords and secrets are included. Otherwise, the text contains `<hidden>` instead, and
    /// cannot be read again until they are filled in. A password that is known only as a digest is written as the
    /// digest.
    public func text(as format: FileFormat = .yaml, withSecrets: Bool = false) throws -> String {
        try Self.text(of: try file(withSecrets: withSecrets), as: format)
    }

    /// The members of the file.
    func file(withSecrets: Bool) throws -> JSONValue {
        var directory = self
        // The reader adds it again at the same position.
        if directory.apis.first == .microsoftGraph { directory.apis.removeFirst() }
        return try FileWriter(showsSecrets: withSecrets, omitsDefaults: true).value(of: directory)
    }

    /// The text of a file with these members.
    static func text(of file: JSONValue, as format: FileFormat) throws -> String {
        switch format {
        case .yaml:
            try Yams.serialize(
                node: Node(file, as: EmulatorDirectory.fileShape),
                indent: 2,
                width: -1,
                allowUnicode: true
            )
        case .json:
            file.lines
        }
    }

    /// The text of a file with the response to `GET /directory`; `nil` for any other response.
    package static func text(ofResponse body: Data, as format: FileFormat) -> String? {
        // An emulator of a different version may have a different response.
        guard let file = JSONValue(parsing: body), file["tenants"] != nil else { return nil }
        return try? text(of: file, as: format)
    }
}

extension Node {
    /// A value with its members in the order of their shape.
    fileprivate init(_ value: JSONValue, as shape: FileShape) {
        switch (value, shape) {
        case (.array(let elements), .list(let element)):
            self.init(elements.map { Node($0, as: element) }, .implicit, elements.isEmpty ? .flow : .block)
        case (.object(let members), .table(let element)):
            self.init(
                members.sorted { $0.key < $1.key }.map { (Node(text: $0.key), Node($0.value, as: element)) },
                .implicit,
                members.isEmpty ? .flow : .block
            )
        case (.object(let members), .object(let object)), (.object(let members), .shortened(let object, _)):
            self.init(
                object.members.compactMap { member in
                    members[member.name].map { (Node(text: member.name), Node($0, as: member.shape)) }
                },
                .implicit,
                members.isEmpty ? .flow : .block
            )
        case (.string(let text), _): self = Node(text: text)
        default: self = Node(value)
        }
    }

    /// A string, in quotes if it could be read as another type.
    private init(text: String) {
        let isPlain =
            text.first.map { $0.isLetter } == true
            && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plainScalars.contains($0) }
            && !words.contains(text.lowercased()) && text.last != ":" && !text.contains(": ")
        // Keep the lines of a PEM text. Quotes preserve everything else.
        let isPEM = text.hasPrefix("-----BEGIN ") && text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
        self.init(text, .implicit, isPlain ? .plain : isPEM ? .literal : .doubleQuoted)
    }
}

/// The characters that never need quotes in a YAML string.
private let plainScalars = Set("0123456789 -_.:/@+".unicodeScalars)
/// The words that YAML 1.1 or 1.2 does not read as strings.
private let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
