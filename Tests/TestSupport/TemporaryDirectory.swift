// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A separate directory for a test, which no other user may enter. It is removed with its last owner, however the test ends.
///
/// A suite, or an object that the test holds, keeps one; for a part of a test there is ``withTemporaryDirectory(_:)``.
/// All directories of a run are in one directory, so that nothing remains even if an owner outlives its test.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    /// The directory that all tests of this process share. It is created by the first user and removed when the process ends.
    package static let shared = ofProcess.appending(path: "shared")

    private static let ofProcess: URL = {
        atexit { TemporaryDirectory.removeAll() }
        return FileManager.default.temporaryDirectory.appending(path: "msal-tests-\(getpid())")
    }()

    /// Makes the directory, empty.
    ///
    /// Its path is short, because the path of a socket may not be long.
    package init() throws {
        url = Self.ofProcess.appending(path: String(UInt64.random(in: .min ... .max), radix: 36))
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    // A directory that cannot be removed now is removed when the process ends.
    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path(percentEncoded: false) }

    private static func removeAll() {
        // A failure is ignored, because there is no caller.
        try? FileManager.default.removeItem(at: ofProcess)
    }
}

/// Runs `body` in a separate directory and removes it afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try body(directory.url)
}

/// Runs `body` in a separate directory and removes it afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try await body(directory.url)
}
