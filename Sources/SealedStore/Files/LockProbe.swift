// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import Glibc
import MSALBase
import Synchronization

/// Checks whether locks exclude other processes on a file system that other machines may share
/// (docs/reference/Store.md#network-file-systems).
struct LockProbe {
    /// The result if two descriptors of one file both ask for a lock on all of it.
    enum Outcome: Sendable {
        case excludes
        case doesNotExclude
        case failed(Int32)
    }

    let directory: String
    /// The name of the file system, for the error's text.
    let fileSystem: String
    /// The time within which a lock server must respond. A slower one counts as none.
    var patience: Duration = .seconds(2)
    var attempt: @Sendable (_ directory: String) -> Outcome = Self.lockTwice

    /// - Throws: `.unsupportedFilesystem` if locks do not work or the server does not respond.
    func run() throws(StoreError) {
        let shared = Shared()
        let done = DispatchSemaphore(value: 0)
        // Nobody waits for this thread, because a call that hangs inside the kernel cannot be cancelled. The thread
        // ends with the process, or when the server responds. It uses nothing but its own two descriptors.
        Thread.detachNewThread { [attempt, directory] in
            let result = attempt(directory)
            shared.outcome.withLock { $0 = result }
            done.signal()
        }
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) * 1e-18
        guard done.wait(timeout: .now() + seconds) == .success else {
            throw failure("does not answer to locks within \(patience)")
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

    /// Uses locks of the open file description. A lock that belongs to the process would be granted twice.
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

    /// `F_OFD_SETLK`, which Swift's Glibc leaves out.
    private static let setLockOfDescription: Int32 = 37

    /// `nil` if the lock was granted, else the error's number.
    private static func lock(_ descriptor: Int32) -> Int32? {
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, setLockOfDescription, &request) == 0 ? nil : errno
    }
}
