// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Synchronization

/// The challenges of Azure Arc: a program shows that it may read a file which only the machine's administrator and those who
/// may have tokens can read ("Authenticate against Azure resources with Azure Arc-enabled servers").
final class ArcChallenges: Sendable {
    let folder: URL
    private let isTemporary: Bool
    /// The files that wait for a program, oldest first.
    private let files = Mutex<[(url: URL, key: Secret)]>([])
    private static let limit = 64

    /// Makes the folder where it is missing; `nil` makes a temporary one.
    ///
    /// - Throws: `PrivateFolder.Failure`, which names the folder.
    init(in folder: URL?) throws {
        self.folder =
            folder
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("entra-emulator-arc-\(Secret.random(bytes: 9).revealed)")
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
                    + "make it, and give it to the user who runs the emulator"
            )
        }
    }

    /// Whether the credentials are the content of a file that waits. It is used up.
    func takes(_ authorization: String) -> Bool {
        guard authorization.lowercased().hasPrefix("basic ") else { return false }
        let presented = Secret(authorization.dropFirst("basic ".count).trimmingCharacters(in: .whitespaces))
        let file = files.withLock { files in
            files.firstIndex { $0.key == presented }.map { files.remove(at: $0) }
        }
        guard let file else { return false }
        unlink(file.url.path)
        return true
    }

    /// The refusal that names a new file.
    func challenge() throws -> ManagedIdentityRefusal {
        let key = Secret(Data(Secret.randomBytes(32)).base64EncodedString())
        let url = folder.appendingPathComponent("\(UUID().uuidString.lowercased()).key")
        // No line break at its end: clients send the content as it is.
        guard
            FileManager.default.createFile(
                atPath: url.path,
                contents: Data(key.revealed.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw PrivateFolder.Failure(description: "cannot write \(url.path), a key file of Azure Arc")
        }
        let outdated = files.withLock { files in
            files.append((url, key))
            return files.count > Self.limit ? files.removeFirst().url : nil
        }
        if let outdated { unlink(outdated.path) }
        return ManagedIdentityRefusal(
            status: 401,
            error: "unauthorized_client",
            code: "Unauthorized",
            message: "Read the file of WWW-Authenticate, and send its content as 'Authorization: Basic'.",
            headers: [.wwwAuthenticate: "Basic realm=\(url.path)"]
        )
    }

    /// Removes every file, and the folder if it is temporary.
    func removeAll() {
        let waiting = files.withLock { files in
            defer { files = [] }
            return files.map(\.url)
        }
        for url in waiting { unlink(url.path) }
        if isTemporary { rmdir(folder.path) }
    }
}
