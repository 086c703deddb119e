// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import Glibc
import MSALBase
import Synchronization

/// Checks whether file locks work on a file system that other machines may share
/// (docs/reference/Store.md#network-file-systems).
struct LockProbe {
    /// The result of locking one file through two descriptors.
    enum Outcome: Sendable {
        case excludes
        case doesNotExclude
        case failed(Int32)
    }

    let directory: String
    /// The name of the file system, for the error message.
    let fileSystem: String
    /// How long a lock server may take to respond. A slower server is treated as missing.
    var timeout: Duration = .seconds(2)
    var attempt: @Sendable (_ directory: String) -> Outcome = Self.lockTwice

    /// - Throws: `.unsupportedFilesystem` if locks do not work or the server does not respond.
    func run() throws(StoreError) {
        let shared = Shared()
        let done = DispatchSemaphore(value: 0)
        // No one waits for this thread because a call that hangs in the kernel cannot be canceled. The thread ends when
        // the server responds or the process exits. It uses only its own two descriptors.
        Thread.detachNewThread { [attempt, directory] in
            let result = attempt(directory)
            shared.outcome.withLock { $0 = result }
            done.signal()
        }
        let seconds = Double(timeout.components.seconds) + Double(timeout.components.attoseconds) * 1e-18
        guard done.wait(timeout: .now() + seconds) == .success else {
            throw failure("does not respond to lock requests within \(timeout)")
        }
        switch shared.outcome.withLock(\.self) {
        case .excludes: return
        case .doesNotExclude, nil: throw failure("grants one lock twice")
        case .failed(let code): throw failure("refuses locks (\(String(cString: strerror(code))))")
        }
    }

    private func failure(_ reason: String) -> StoreError {
        StoreError(
            .unsupportedFilesystem,
            message: """
                \(directory) is on a file system (\(fileSystem)) that \(reason), so processes could overwrite each \
                other's tokens. Set MSAL_STORE_DIR to a local directory; $XDG_RUNTIME_DIR keeps tokens until the logout. \
                Without it tokens stay in memory.
                """
        )
    }

    private final class Shared: Sendable {
        let outcome = Mutex<Outcome?>(nil)
    }

    /// Uses open file description locks. A lock that belongs to the process would be granted twice.
    private static func lockTwice(in directory: String) -> Outcome {
        let path = directory + "/.lock-\(UUID().uuidString)"
        let first = PrivateFile.create(path, flags: O_EXCL | O_RDWR)
        guard first >= 0 else { return .failed(errno) }
        defer {
            close(first)
            unlink(path)
        }
        let second = open(path, O_NOFOLLOW | O_RDWR | O_CLOEXEC)
        guard second >= 0 else { return .failed(errno) }
        defer { close(second) }
        if let code = lock(first) { return .failed(code) }
        guard let code = lock(second) else { return .doesNotExclude }
        return code == EAGAIN || code == EACCES ? .excludes : .failed(code)
    }

    /// `F_OFD_SETLK`, which Swift's Glibc does not define.
    private static let setLockOfDescription: Int32 = 37

    /// `nil` if the lock was granted, otherwise the errno.
    private static func lock(_ descriptor: Int32) -> Int32? {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, setLockOfDescription, &request) == 0 ? nil : errno
    }
}
