// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// The lock for the repair of a damaged store: `<group>/.recovery`.
///
/// During a recovery, the file contains the name of the quarantine, so that the next process can continue if this one
/// dies.
struct RecoveryLock: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Waits up to five seconds for the lock.
    ///
    /// - Returns: The lock; `nil` if the file does not exist and must not be created. In that case, this store was
    ///   never repaired.
    static func take(in location: StoreLocation, creating: Bool) throws(StoreError) -> RecoveryLock? {
        guard let directory = try StoreDirectory.open(location.directory, creating: false) else { return nil }
        let (name, path) = (".recovery", location.directory + "/.recovery")
        let descriptor =
            creating
            ? PrivateFile.create(name, in: directory.descriptor, flags: O_RDWR)
            : openat(directory.descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if !creating, errno == ENOENT { return nil }
            throw StoreFile.failure(.unwritable, to: "open", at: path, code: errno)
        }
        let lock = RecoveryLock(descriptor: descriptor, path: path)
        assert(LockRank.recovery.take(), "Lock order violation: a recovery was awaited too late.")
        try KernelLock.wait(for: descriptor, of: location)
        return lock
    }

    /// The quarantine of an unfinished recovery; normally `nil`, also for text that is not the name of a quarantine.
    var unfinished: String? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let name = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return Quarantine.isName(name) ? name : nil
    }

    /// Records the start, with the quarantine's name, or the end, with `nil`. It is on disk when this returns.
    func note(_ name: String?) throws(StoreError) {
        let bytes = Array((name ?? "").utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            fsync(descriptor) == 0
        else { throw StoreFile.failure(.unwritable, to: "write", at: path, code: errno) }
    }

    deinit {
        close(descriptor)
        assert(LockRank.recovery.release())
    }
}
