// Licensed under the MIT License. See LICENSE.

import CommandOutput
package import Foundation
import MSALBase
import Synchronization

/// A browser with a temporary profile that trusts one additional certificate authority.
///
/// Chromium reads its certificate authorities from an NSS database in the home folder, so it gets a separate home
/// folder. Firefox reads them from its profile, which is also there. The user's own browser, its settings, and its
/// trust are not changed.
package final class TemporaryBrowser: Sendable {
    /// The reason why there is no such browser, as the end of a sentence.
    package struct Unavailable: LocalizedError {
        /// The end of a sentence.
        package let reason: String
        /// The same as ``reason``; `localizedDescription` returns it.
        package var errorDescription: String? { reason }

        /// Creates an error from the end of a sentence.
        package init(reason: String) { self.reason = reason }
    }

    /// The folder with all files that it writes.
    package let home: URL
    /// The browser.
    package let program: BrowserProgram
    private let environment: [String: String]
    private let running = Mutex<Running?>(nil)

    /// The browser's process.
    private struct Running {
        let process: ChildProcess
        /// Whether its process ID may be reused by now.
        var hasEnded = false
    }

    /// Whether the browser and the tool for its profile are installed.
    package static func isAvailable(in environment: [String: String]) -> Bool {
        BrowserProgram.first(nil, in: environment) != nil && AuthorityDatabase.canBeMade(in: environment)
    }

    /// Creates the profile without opening a window.
    ///
    /// `family`: The family of the browser; `nil` accepts any.
    ///
    /// - Throws: `Unavailable`, if the browser or certutil is missing or fails.
    package init(
        trusting certificateAuthorityFile: URL,
        family: BrowserProgram.Family? = nil,
        environment: [String: String]
    ) async throws(Unavailable) {
        guard let program = BrowserProgram.first(family, in: environment) else {
            let names =
                switch family {
                case .chromium: "neither Chromium nor Chrome"
                case .firefox: "no Firefox"
                case nil: "neither Chromium nor Chrome nor Firefox"
                }
            throw Unavailable(reason: "\(names) is installed, except as a snap")
        }
        guard AuthorityDatabase.canBeMade(in: environment) else {
            throw Unavailable(reason: "certutil (Debian's libnss3-tools) is not installed")
        }
        let home = FileManager.default.temporaryDirectory.appending(
            path: "entra-emulator-browser-\(UUID().uuidString.prefix(8))"
        )
        self.program = program
        self.home = home
        self.environment = Self.environment(environment, home: home)
        do {
            let rights: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false, attributes: rights)
            try await AuthorityDatabase.make(
                at: home.appending(path: program.database),
                trusting: certificateAuthorityFile,
                environment: environment
            )
            let preferences = home.appending(path: program.preferences.path)
            try FileManager.default.createDirectory(
                at: preferences.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: rights
            )
            try Data(program.preferences.text.utf8).write(to: preferences)
        } catch {
            try? FileManager.default.removeItem(at: home)  // The first error is the one to report.
            throw Unavailable(reason: "its profile cannot be created (\(error.sentence))")
        }
    }

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - url: The page to open.
    ///   - onEnd: Called when the browser has exited, closed by the user or by `close()`.
    /// - Throws: `Unavailable` with the reason, if the program does not start.
    package func open(_ url: URL, onEnd: @escaping @Sendable () -> Void) throws(Unavailable) {
        let process: ChildProcess
        do throws(ChildProcess.Failure) {
            process = try .silent(
                program.file.path(percentEncoded: false),
                arguments: program.arguments(opening: url, home: home),
                environment: environment
            )
        } catch {
            throw Unavailable(reason: error.description)
        }
        running.withLock { $0 = Running(process: process) }
        Thread.detachNewThread { [self] in
            _ = process.wait()
            running.withLock { $0?.hasEnded = true }
            onEnd()
        }
    }

    /// Closes the window and deletes the profile.
    ///
    /// - Returns: Whether the profile was deleted.
    package func close() async -> Bool {
        if let running = running.withLock({ $0 }) {
            let group = running.process.id
            if !running.hasEnded { kill(group, SIGTERM) }
            if await !hasEnded(group) {
                kill(-group, SIGKILL)
                _ = await hasEnded(group)  // If its processes still run, the profile is kept and the caller reports it.
            }
        }
        do {
            try FileManager.default.removeItem(at: home)
            return true
        } catch {
            return false
        }
    }

    /// Waits up to 5 s for the browser and its children, which form its process group. They write files until they
    /// exit.
    private func hasEnded(_ group: pid_t) async -> Bool {
        let lastWait = ContinuousClock.now + .seconds(5)
        while kill(-group, 0) == 0 {
            guard ContinuousClock.now < lastWait else { return false }
            try? await Task.sleep(for: .milliseconds(20))  // A canceled wait checks again, too.
        }
        return true
    }

    private static func environment(_ environment: [String: String], home: URL) -> [String: String] {
        var result = environment
        // Chromium creates its sockets in the temporary folder and leaves them there.
        for name in ["HOME", "TMPDIR"] { result[name] = home.path(percentEncoded: false) }
        for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] { result[name] = nil }
        // X clients expect their ticket in the home folder unless XAUTHORITY specifies another location.
        if let old = environment["HOME"], environment["XAUTHORITY"] == nil {
            result["XAUTHORITY"] = "\(old)/.Xauthority"
        }
        return result
    }
}
