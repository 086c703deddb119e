// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
package import MSALCore
private import Synchronization
import UserFiles

/// Keeps the key for proof-of-possession tokens for as long as the process runs.
package final class ProofKeyMemory: ProofKeys {
    private let held = Mutex<ProofKey?>(nil)

    package init() {}

    package func key() throws(ProofKey.Failure) -> ProofKey {
        if let key = held.withLock({ $0 }) { return key }
        let (key, _) = try ProofKey.generated()
        // If two callers make a key at the same time, both get the first one.
        return held.withLock { held in
            if held == nil { held = key }
            return held ?? key
        }
    }
}

/// Keeps the key in a file next to the token store, which only its owner can read. All processes of the user share it.
package final class ProofKeyFile: ProofKeys {
    private let path: String
    private let held = Mutex<ProofKey?>(nil)

    /// `directory` is an absolute path. It is made with mode 0700 if it is missing.
    package init(directory: String) { path = directory + "/proof-key.pem" }

    package func key() throws(ProofKey.Failure) -> ProofKey {
        if let key = held.withLock({ $0 }) { return key }
        let stored = try read()
        let key = if let stored { stored } else { try make() }
        held.withLock { $0 = key }
        return key
    }

    /// The key in the file. The result is `nil` if there is no file.
    private func read() throws(ProofKey.Failure) -> ProofKey? {
        var file = UserFile(path, limit: 65_536)
        file.followsLinks = false
        file.isPrivate = true
        let text: String
        do throws(FileFault) {
            text = try file.text()
        } catch {
            if error == .missing { return nil }
            throw ProofKey.Failure(
                message:
                    "The key for proof-of-possession tokens, \(path), \(error.reason). It must be a file of this user "
                    + "that no other user can read: chmod 600."
            )
        }
        return try ProofKey(pem: text)
    }

    /// Makes a key. If another process was faster, its key is taken.
    private func make() throws(ProofKey.Failure) -> ProofKey {
        let directory = (path as NSString).deletingLastPathComponent
        // If the directory cannot be made, the next line fails.
        PrivateFile.createDirectory(directory)
        let (key, pem) = try ProofKey.generated()
        // The key is written to a draft, which is then linked. So the file with this name always holds the whole key.
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = PrivateFile.create(draft, flags: O_WRONLY | O_EXCL)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(pem.exposed.utf8))
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
