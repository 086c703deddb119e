// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc

extension StoreDirectory {
    /// Deletes a regular file of this user. Links and files of other users stay.
    ///
    /// - Returns: Whether no file of this name is left.
    func removeFile(_ name: String) -> Bool { Self.removeFile(name, in: descriptor) }

    /// Deletes a folder of this user, with the files in it whose names satisfy `isOwn`. Never follows a link. A folder
    /// that contains anything else stays, with those other files.
    ///
    /// - Returns: Whether no folder of this name is left.
    func removeFolder(_ name: String, where isOwn: (String) -> Bool) -> Bool {
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return errno == ENOENT }
        defer { close(folder) }
        var status = stat()
        guard fstat(folder, &status) == 0, status.st_uid == geteuid() else { return false }
        // A folder that cannot be listed cannot be emptied either, so the last step fails.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []
        for name in names where isOwn(name) { _ = Self.removeFile(name, in: folder) }
        return unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT
    }

    private static func removeFile(_ name: String, in directory: Int32) -> Bool {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return false }
        return unlinkat(directory, name, 0) == 0 || errno == ENOENT
    }
}
