// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase
import Synchronization

/// The challenges of Azure Arc: a program proves that it can read a file, which only the machine's administrator and
/// authorized users can read ("Authenticate against Azure resources with Azure Arc-enabled servers").
final class ArcChallenges: Sendable {
    let folder: URL
    private let isTemporary: Bool
    /// The files that programs have not used yet, oldest first.
    private let files = Mutex<[(url: URL, key: Secret)]>([])
    /// The links, folders, and files that flaws created. They are deleted when the emulator stops.
    private let remains = Mutex<[URL]>([])
    private static let limit = 64

    /// Creates the folder if it is missing; `nil` creates a temporary one.
    ///
    /// - Throws: `PrivateFolder.Failure`, which names the folder.
    init(in folder: URL?) throws {
        self.folder =
            folder
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("entra-emulator-arc-\(Secret.random(bytes: 9).exposed)")
        isTemporary = folder == nil
        do {
            try FileManager.default.createDirectory(
                at: self.folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw PrivateFolder.Failure(
                description: "cannot create the folder \(self.folder.path) for the key files of Azure Arc; "
                    + "create it with the user who runs the emulator as its owner"
            )
        }
    }

    /// Whether the credentials are the content of an unused file, which is then removed.
    func takes(_ presented: Secret) -> Bool {
        let file = files.withLock { files in
            files.firstIndex { $0.key == presented }.map { files.remove(at: $0) }
        }
        guard let file else { return false }
        unlink(file.url.path)
        return true
    }

    /// The error response with a new file. A flaw makes the challenge invalid.
    func challenge(_ flaw: ManagedIdentityFlaw? = nil) throws -> IdentityRefusal {
        let key = key(with: flaw)
        let url = try place(of: flaw)
        if flaw != .challengeMissing {
            // Without a trailing line break, because clients send the content unchanged.
            let isWritten = FileManager.default.createFile(
                atPath: url.path,
                contents: Data(key.exposed.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else {
                throw PrivateFolder.Failure(description: "cannot write the Azure Arc key file \(url.path)")
            }
        }
        let outdated = files.withLock { files in
            files.append((url, key))
            return files.count > Self.limit ? files.removeFirst().url : nil
        }
        if let outdated { unlink(outdated.path) }
        var headers: HTTPFields = [.wwwAuthenticate: "Basic realm=\(try realm(of: url, with: flaw))"]
        if flaw == .challengeTwice {
            headers.append(HTTPField(name: .wwwAuthenticate, value: "Basic realm=\(try place(of: nil).path)"))
        }
        return IdentityRefusal(
            status: 401,
            error: "unauthorized_client",
            code: "Unauthorized",
            message: "Read the file in WWW-Authenticate, and send its content as 'Authorization: Basic'.",
            headers: headers
        )
    }

    // MARK: Flaws

    private func key(with flaw: ManagedIdentityFlaw?) -> Secret {
        let text = Data([UInt8].random(count: flaw == .challengeTooLong ? 3_600 : 32)).base64EncodedString()
        return Secret(flaw == .challengeWithLineBreak ? "\(text.prefix(20))\r\nX-Forged: \(text.dropFirst(20))" : text)
    }

    /// The location of a challenge's file.
    private func place(of flaw: ManagedIdentityFlaw?) throws -> URL {
        let name = UUID().uuidString.lowercased()
        switch flaw {
        case .challengeElsewhere, .challengeLinked:
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("entra-emulator-\(name).key")
            remains.withLock { $0.append(url) }
            return url
        case .challengeInSubfolder:
            let inner = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: inner,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            remains.withLock { $0.append(inner) }
            return inner.appendingPathComponent("\(name).key")
        case .challengeOfOtherKind: return folder.appendingPathComponent("\(name).txt")
        case .otherIdentity, .challengeTooLong, .challengeWithLineBreak, .challengeMissing, .challengeWithoutPath,
            .challengeTwice, nil:
            return folder.appendingPathComponent("\(name).key")
        }
    }

    /// The path in the challenge's `realm`.
    private func realm(of url: URL, with flaw: ManagedIdentityFlaw?) throws -> String {
        switch flaw {
        case .challengeWithoutPath: return ""
        case .challengeLinked:
            let link = folder.appendingPathComponent("\(UUID().uuidString.lowercased()).key")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
            remains.withLock { $0.append(link) }
            return link.path
        case .otherIdentity, .challengeElsewhere, .challengeInSubfolder, .challengeTooLong, .challengeWithLineBreak,
            .challengeOfOtherKind, .challengeMissing, .challengeTwice, nil:
            return url.path
        }
    }

    /// Removes all files, and the folder if it is temporary.
    func removeAll() {
        let waiting = files.withLock { files in
            defer { files = [] }
            return files.map(\.url)
        }
        for url in waiting { unlink(url.path) }
        let remains = remains.withLock { remains in
            defer { remains = [] }
            return remains
        }
        // `unlink` removes files and links, `rmdir` removes folders.
        for url in remains where unlink(url.path) != 0 { rmdir(url.path) }
        if isTemporary { rmdir(folder.path) }
    }
}
