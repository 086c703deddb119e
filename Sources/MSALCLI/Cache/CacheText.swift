// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// Reads and writes token caches as text: in files, or in pipes.
enum CacheText {
    /// The most that is read from a pipe, in bytes. The caches of Microsoft's libraries have a few KiB for each account.
    private static let pipeLimit = 64 << 20

    /// The bytes of a file or a pipe; `-` is standard input. A pipe has `patience` for all that it brings.
    ///
    /// - Throws: `Failure` that names the file and what is wrong with it.
    static func read(_ path: String, patience: Duration = UserFile.patience) throws(Failure) -> Data {
        let limit = MSALTokenStore.maximumImportSize
        do throws(FileFault) {
            guard path != "-" else { return Data(try UserFile.standardInput(limit: limit, pipeLimit: pipeLimit)) }
            var file = UserFile(path, limit: limit, pipePatience: patience)
            file.pipeLimit = pipeLimit
            return Data(try file.bytes())
        } catch {
            let name = path == "-" ? "Standard input" : path
            guard error != .tooLarge(limit: pipeLimit) else {
                throw .file(
                    "\(name) brings more than \(pipeLimit >> 20) MiB, which is the limit for a pipe.",
                    remedy: "Write the cache to a file, and name the file. It may have \(limit >> 30) GiB."
                )
            }
            throw .file("\(name) \(error.reason).")
        }
    }

    /// Writes a file with mode 0600. It is written completely or not at all.
    ///
    /// - Throws: `Failure`; with the status `usage` if the file exists and must not be replaced.
    static func write(_ text: Data, to path: String, replacing: Bool) throws(Failure) {
        let draft = "\(path).\(getpid()).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path, code: errno) }
        defer { unlink(draft) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The umask may remove even the user's own rights, so the mode is set here.
        guard fchmod(descriptor, 0o600) == 0 else { throw unwritable(path, code: errno) }
        do {
            try handle.write(contentsOf: text)
            try handle.synchronize()
        } catch {
            throw unwritable(path, code: errno)
        }
        // If the name is taken, `link` fails and `rename` does not.
        guard (replacing ? rename(draft, path) : link(draft, path)) != 0 else { return }
        guard errno == EEXIST else { throw unwritable(path, code: errno) }
        throw .usage("\(path) exists already.", remedy: "Pass --force to replace it, or name another file.")
    }

    private static func unwritable(_ path: String, code: Int32) -> Failure {
        .file("\(path) cannot be written: \(String(cString: strerror(code))).")
    }
}
