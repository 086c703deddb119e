// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Synchronization

/// A new file that a download is written to. It never replaces an existing file.
final class GraphFile: Sendable {
    private let path: String
    /// `nil` for standard output.
    private let descriptor: Int32?
    private let count = Atomic(0)

    /// The number of bytes that were written.
    var size: Int { count.load(ordering: .relaxed) }

    /// Creates the file. `-` is standard output.
    ///
    /// - Throws: `Failure`: `usage`, if the name is taken or the folder does not take files; `failed`, if the file cannot
    ///   be created for another reason, such as a full disk.
    init(_ path: String) throws(Failure) {
        self.path = path
        guard path != "-" else {
            descriptor = nil
            return
        }
        let created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard created < 0 else {
            descriptor = created
            // A signal that ends the command removes the file, because half a file would look like a whole one.
            for number in [SIGINT, SIGTERM, SIGHUP] {
                SignalThread.handle(number) {
                    unlink(path)
                    TerminalEchoRestorer.end(by: number)
                }
            }
            return
        }
        let cause = errno
        let words = "\(path) cannot be created: \(String(cString: strerror(cause)))."
        switch cause {
        case EEXIST:
            throw .usage("\(path) already exists.", remedy: "Remove it first, or choose another name for --save.")
        case ENOENT, ENOTDIR:
            throw .usage(words, remedy: "Create its directory first, or choose another path for --save.")
        case EACCES, EPERM, EROFS, EISDIR, ENAMETOOLONG:
            throw .usage(words, remedy: "Choose another path for --save.")
        default: throw .file(words)
        }
    }

    /// Writes bytes at the end.
    ///
    /// - Returns: How many bytes there are now.
    /// - Throws: `Failure` with the status `failed`, as for a full disk; `OutputError` of standard output.
    func write(_ bytes: Data) throws -> Int {
        guard let descriptor else {
            try Terminal.output.deliver(raw: bytes)
            return count.wrappingAdd(bytes.count, ordering: .relaxed).newValue
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EINTR {
                throw Failure.file("\(path) cannot be written: \(String(cString: strerror(errno))).")
            }
        }
        return count.wrappingAdd(bytes.count, ordering: .relaxed).newValue
    }

    /// Removes the part of a download that failed.
    func discard() { if descriptor != nil { unlink(path) } }

    /// Closes the file. Some file systems report a full disk only now.
    ///
    /// - Throws: `Failure` with the status `failed`.
    func finish() throws(Failure) {
        guard let descriptor, fsync(descriptor) != 0, errno != EINVAL else { return }
        throw .file("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }

    deinit { if let descriptor { close(descriptor) } }
}
