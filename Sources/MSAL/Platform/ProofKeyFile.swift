// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore
import MSALSupport
private import Synchronization

/// Keeps the key for proof-of-possession tokens for as long as the process runs.
package final class ProofKeyMemory: ProofKeys {
    private let held = Mutex<ProofKey?>(nil)

    package init() {}

    package func key() throws(ProofKey.Failure) -> ProofKey {
        if let key = held.withLock({ $0 }) { return key }
        let key = try ProofKey()
        // Of two that were made at the same time, the first one counts.
        return held.withLock { held in
            if held == nil { held = key }
            return held ?? key
        }
    }
}

/// Keeps the key in a file that its owner alone can read, beside the token store; every process of the user has the
/// same one.
package final class ProofKeyFile: ProofKeys {
    private let path: String
    private let held = Mutex<ProofKey?>(nil)

    /// `directory`: Absolute; made with mode 0700 if it is not there.
    package init(directory: String) {
        path = directory + "/proof-key.pem"
    }

    package func key() throws(ProofKey.Failure) -> ProofKey {
        if let key = held.withLock({ $0 }) { return key }
        let stored = try read()
        let key = if let stored { stored } else { try make() }
        held.withLock { $0 = key }
        return key
    }

    /// The key in the file; `nil` if there is no file.
    private func read() throws(ProofKey.Failure) -> ProofKey? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            throw ProofKey.Failure(
                message: "\(path) must be a file of this user that nobody else can read: chmod 600."
            )
        }
        guard let bytes = try? file.readToEnd() else { throw failure("cannot be read") }  // The cause is in errno.
        return try ProofKey(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// Makes a key, unless another process was faster: then theirs is taken.
    private func make() throws(ProofKey.Failure) -> ProofKey {
        let directory = (path as NSString).deletingLastPathComponent
        // A directory that cannot be made shows in the next line.
        PrivateFile.createDirectory(directory)
        let key = try ProofKey()
        // Written aside and linked: the name appears once, with the whole key behind it.
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = PrivateFile.create(draft, flags: O_WRONLY | O_EXCL)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(key.pem.exposed.utf8))
            try file.synchronize()
        } catch {
            throw failure("cannot be written")
        }
        if link(draft, path) == 0 { return key }
        guard errno == EEXIST, let theirs = try read() else { throw failure("cannot be written") }
        return theirs
    }

    private func failure(_ what: String) -> ProofKey.Failure {
        let cause = String(cString: strerror(errno))
        return ProofKey.Failure(message: "The key for proof-of-possession tokens, \(path), \(what): \(cause).")
    }
}
