// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import UserFiles

// The files of the user that the command writes.
extension UserFile {
    /// How long the program behind a shell's `<(…)` may take. A password manager may have to ask its user.
    static let timeout = Duration.seconds(60)

    /// Replaces the file in one step, so that no other program reads half of it. A link stays a link, and an existing
    /// file keeps its mode.
    ///
    /// - Parameters:
    ///   - text: The whole new text.
    ///   - path: The file. Its directory is created if it does not exist.
    ///   - rights: The mode of a new file.
    /// - Throws: `Failure` with the status `failed`.
    static func replace(_ text: String, at path: String, rights: mode_t = 0o600) throws(Failure) {
        let name = try target(of: path)
        let folder = (name as NSString).deletingLastPathComponent
        do {
            if !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
        } catch {
            throw unwritable(path, reason: error.systemReason)
        }
        let former = (try? FileManager.default.attributesOfItem(atPath: name))?[.posixPermissions] as? Int
        try write(Data(text.utf8), to: name, replacing: true, rights: former.map { mode_t($0) } ?? rights)
    }

    /// The path of the file that a chain of links names. The file may be missing.
    private static func target(of path: String) throws(Failure) -> String {
        var target = path
        // The kernel follows as many (path_resolution(7)).
        for _ in 0...40 {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { return target }
            let folder = (target as NSString).deletingLastPathComponent
            target = link.hasPrefix("/") || folder.isEmpty ? link : "\(folder)/\(link)"
        }
        throw unwritable(path, reason: String(cString: strerror(ELOOP)))
    }

    /// Writes a file completely or not at all.
    ///
    /// - Throws: `Failure`; with the status `usage` if the file exists and must not be replaced.
    static func write(_ text: Data, to path: String, replacing: Bool, rights: mode_t = 0o600) throws(Failure) {
        let draft = "\(path).\(getpid()).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path) }
        defer { unlink(draft) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The umask may remove even the user's own rights, so the mode is set here.
        guard fchmod(descriptor, rights) == 0 else { throw unwritable(path) }
        do {
            try handle.write(contentsOf: text)
            try handle.synchronize()
        } catch {
            throw unwritable(path, reason: error.systemReason)
        }
        // If the name is taken, `link` fails and `rename` does not.
        guard (replacing ? rename(draft, path) : link(draft, path)) != 0 else { return }
        guard errno == EEXIST else { throw unwritable(path) }
        throw .usage("\(path) already exists.", remedy: "Pass --force to replace it, or choose another file.")
    }

    /// The failure of a file that cannot be changed. Permissions do not fix a full disk.
    static func unwritable(_ path: String, reason: String = String(cString: strerror(errno))) -> Failure {
        let isForbidden = [EACCES, EPERM].contains { String(cString: strerror($0)) == reason }
        let remedy = isForbidden ? "You must be allowed to write to its directory." : nil
        return .file("\(path) cannot be written: \(reason).", remedy: remedy)
    }
}
