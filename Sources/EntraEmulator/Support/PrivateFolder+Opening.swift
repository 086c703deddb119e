// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension PrivateFolder {
    /// Makes the folder, mode 0700, where it is missing; else makes sure that nobody but this user can enter it.
    ///
    /// A folder that others can enter is closed to them only if it is this user's, not sticky, and holds nothing but the
    /// emulator's own files. Every other one is left as it is and refused.
    static func prepare(_ path: String) throws(Failure) {
        try make(path)
        // One descriptor for the checks and the change: the name may mean another folder in between.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "cannot open the folder \(path): \(lastError)") }
        defer { close(descriptor) }
        guard let (owner, mode) = OpenedFolder.owner(of: descriptor) else {
            throw Failure(description: "cannot examine the folder \(path): \(OpenedFolder.fault)")
        }
        guard owner == geteuid() else {
            throw Failure(description: "the folder \(path) belongs to another user; choose one of your own")
        }
        guard mode & 0o077 != 0 else { return }
        guard mode & 0o1000 == 0, holdsOnlyOwnFiles(path) else {
            let example = URL(fileURLWithPath: path).appendingPathComponent("entra-emulator").path
            throw Failure(
                description: "others can enter the folder \(path), and it is not the emulator's alone; "
                    + "choose one that is empty or not there yet, such as \(example)"
            )
        }
        guard fchmod(descriptor, 0o700) == 0 else {
            throw Failure(description: "cannot close the folder \(path) to others: \(lastError)")
        }
    }

    /// Makes the folder and those above it, as far as they are missing.
    private static func make(_ path: String) throws(Failure) {
        guard !PrivateFile.createDirectory(path), errno != EEXIST else { return }
        throw Failure(description: "cannot create the folder \(path): \(lastError)")
    }

    // MARK: Own files

    /// Every file that an emulator makes in a state or data folder.
    private static let ownFiles: Set = [
        "ca.pem", "ca-key.pem", "ca-bundle.pem", "ca-bundle.jks", "server.pem", "server-key.pem", "server.names",
        "signing-key.pem", "signing-certificate.pem", "control-token", "lock", "in-use",
        "directory.sqlite", "directory.sqlite-journal", "directory.sqlite-wal", "directory.sqlite-shm",
    ]

    private static func holdsOnlyOwnFiles(_ path: String) -> Bool {
        // A folder that cannot be listed may hold anything.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.allSatisfy(isOwnFile)
    }

    private static func isOwnFile(_ name: String) -> Bool {
        // An interrupted `write` leaves `.<file>.<random>` behind.
        ownFiles.contains(name) || ownFiles.contains { name.hasPrefix(".\($0).") }
    }
}
