// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension PrivateFolder {
    /// Creates the folder with mode 0700 if it is missing; otherwise makes sure that only this user can access it.
    ///
    /// A folder that others can access is restricted only if it belongs to this user, is not sticky, and contains
    /// nothing but the emulator's own files. Any other one is left unchanged and rejected.
    static func prepare(_ path: String) throws(Failure) {
        try make(path)
        // Use one descriptor for the checks and the change, because the name may refer to another folder in between.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "cannot open the folder \(path): \(lastError)") }
        defer { close(descriptor) }
        guard let (owner, mode) = OpenedFolder.owner(of: descriptor) else {
            throw Failure(description: "cannot examine the folder \(path): \(OpenedFolder.fault)")
        }
        guard owner == geteuid() else {
            throw Failure(description: "the folder \(path) belongs to another user; choose one that belongs to you")
        }
        guard mode & 0o077 != 0 else { return }
        guard mode & 0o1000 == 0, holdsOnlyOwnFiles(path) else {
            let example = URL(fileURLWithPath: path).appendingPathComponent("entra-emulator").path
            throw Failure(
                description: "other users can access the folder \(path), and it contains other files; "
                    + "choose an empty or new one, such as \(example)"
            )
        }
        guard fchmod(descriptor, 0o700) == 0 else {
            throw Failure(description: "cannot restrict access to the folder \(path): \(lastError)")
        }
    }

    /// Creates the folder and its missing parents.
    private static func make(_ path: String) throws(Failure) {
        guard !PrivateFile.createDirectory(path), errno != EEXIST else { return }
        throw Failure(description: "cannot create the folder \(path): \(lastError)")
    }

    // MARK: Own files

    /// All files that an emulator creates in a state or data folder.
    private static let ownFiles: Set = [
        "ca.pem", "ca-key.pem", "ca-bundle.pem", "ca-bundle.jks", "server.pem", "server-key.pem", "server.names",
        "signing-key.pem", "signing-certificate.pem", "control-token", "lock", "in-use",
        "directory.sqlite", "directory.sqlite-journal", "directory.sqlite-wal", "directory.sqlite-shm",
    ]

    private static func holdsOnlyOwnFiles(_ path: String) -> Bool {
        // A folder that cannot be listed may contain anything.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.allSatisfy(isOwnFile)
    }

    private static func isOwnFile(_ name: String) -> Bool {
        // An interrupted `write` leaves `.<file>.<random>` behind.
        ownFiles.contains(name) || ownFiles.contains { name.hasPrefix(".\($0).") }
    }
}
