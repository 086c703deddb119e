// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

// The files of the user that the command writes.
extension UserFile {
    /// How long the program behind a shell's `<(…)` may take. A password manager may have to ask its user.
    static let patience = Duration.seconds(60)

    /// Replaces the file in one step, so that no other program reads half of it. A link stays a link, and an existing
    /// file keeps its mode.
    ///
    /// - Parameters:
    ///   - text: The whole new text.
    ///   - path: The file. Its folder is made if it is not there.
    ///   - rights: The mode of a new file.
    /// - Throws: `Failure` with the status `failed`.
    static func replace(_ text: String, at path: String, rights: Int = 0o600) throws(Failure) {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let folder = file.deletingLastPathComponent()
        let manager = FileManager.default
        let draft = folder.appending(path: ".\(file.lastPathComponent).\(getpid())")
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            let rights = (try? manager.attributesOfItem(atPath: file.path()))?[.posixPermissions] ?? rights
            let isWritten = manager.createFile(
                atPath: draft.path(),
                contents: Data(text.utf8),
                attributes: [.posixPermissions: rights]
            )
            guard isWritten, rename(draft.path(), file.path()) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            // The draft may not exist, so an error does not matter.
            try? manager.removeItem(at: draft)
            throw unwritable(path)
        }
    }

    /// The failure of a file that cannot be changed.
    static func unwritable(_ path: String) -> Failure {
        .file("\(path) cannot be written.", remedy: "You must be allowed to write to its folder.")
    }
}
