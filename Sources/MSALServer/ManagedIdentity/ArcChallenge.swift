// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import UserFiles

/// The challenge with which the agent of Azure Arc makes a program show that it may read a file
/// (docs/reference/Services.md#azure-arc).
///
/// The process that listens on the agent's port chooses the path. So a program must not read a file outside the agent's
/// folder, and must send the content to the agent only.
package struct ArcChallenge: Sendable, Hashable {
    /// The name of the file in the agent's folder.
    package let name: String

    /// A reason to reject the challenge.
    package enum Fault: String, Error, Sendable, CaseIterable {
        case status, header, folder, ending, file, link, size, content

        /// The reason, as a sentence.
        package var words: String {
            switch self {
            case .status: "It did not respond with status 401, with which a challenge comes."
            case .header: "It did not send exactly one challenge of the form Basic realm=<path>."
            case .folder: "The challenge names a file outside the agent's folder."
            case .ending: "The challenge names a file that does not end in .key."
            case .file: "The file of the challenge cannot be read."
            case .link: "The file of the challenge is a link."
            case .size: "The file of the challenge is too large."
            case .content: "The file of the challenge is empty or contains control characters."
            }
        }
    }

    /// The largest file, in bytes.
    package static let limit = 4096

    /// Reads the value of `WWW-Authenticate`. Several headers are one value with commas, which is refused.
    package init(header: String?, folder: String) throws(Fault) {
        let prefix = "basic realm="
        guard let header, header.prefix(prefix.count).lowercased() == prefix else { throw .header }
        var path = header.dropFirst(prefix.count)
        if path.count >= 2, path.first == "\"", path.last == "\"" { path = path.dropFirst().dropLast() }
        // Unicode has letters that look like others, and marks that change the letter before them. Paths of the agent
        // have none.
        guard path.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !Self.foreign.contains($0) }), !path.isEmpty else {
            throw .header
        }
        let place = folder.hasSuffix("/") ? folder : folder + "/"
        guard path.hasPrefix(place) else { throw .folder }
        let name = path.dropFirst(place.count)
        guard !name.contains("/"), name != "..", name != "." else { throw .folder }
        guard name.hasSuffix(".key"), name != ".key" else { throw .ending }
        self.name = String(name)
    }

    private static let foreign = Set(",\"\\;".utf8)

    /// The content of the file, to be sent to the agent.
    package func key(in environment: ServerEnvironment) throws(Fault) -> Secret {
        let data: Data
        do throws(FileFault) {
            data = try environment.files.contents(of: name, in: environment.arcTokenFolder, limit: Self.limit)
        } catch {
            switch error {
            case .link: throw .link
            case .tooLarge: throw .size
            case .missing, .forbidden, .notRegular, .notPrivate, .unguarded, .late, .notText, .openFileLimit, .system:
                throw .file
            }
        }
        // The fault is the same for every content that is not a key.
        guard let text = String(validating: data, as: UTF8.self),
            let key = try? CredentialText.credential(in: text), !key.isEmpty
        else { throw .content }
        return Secret(key)
    }
}
