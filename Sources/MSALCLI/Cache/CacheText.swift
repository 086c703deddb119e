// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// Reads token caches as text: from files, or from pipes.
enum CacheText {
    /// The most that is read from a pipe, in bytes. The caches of Microsoft's libraries have a few KiB for each account.
    private static let pipeLimit = 64 << 20

    /// The bytes of a file or a pipe; `-` is standard input. A pipe has `timeout` for all that it brings.
    ///
    /// - Throws: `Failure` that names the file and what is wrong with it.
    static func read(_ path: String, timeout: Duration = UserFile.timeout) throws(Failure) -> Data {
        let limit = MSALTokenStore.maximumImportSize
        do throws(FileFault) {
            guard path != "-" else { return Data(try UserFile.standardInput(limit: limit, pipeLimit: pipeLimit)) }
            var file = UserFile(path, limit: limit, pipeTimeout: timeout)
            file.pipeLimit = pipeLimit
            return Data(try file.bytes())
        } catch {
            let name = path == "-" ? "Standard input" : path
            guard error != .tooLarge(limit: pipeLimit) else {
                throw .file(
                    "\(name) has more than \(pipeLimit >> 20) MiB, the limit for a pipe.",
                    remedy: "Write the cache to a file, and pass the file. Its limit is \(limit >> 30) GiB."
                )
            }
            throw .file("\(name) \(error.reason).")
        }
    }
}
