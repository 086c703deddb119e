// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import Foundation
import Synchronization
import TestSupport
import Testing

/// A browser in a profile of its own, with programs that stand in for Chromium and certutil.
@Suite(.timeLimit(.minutes(1)))
struct TemporaryBrowserTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func browser(chromium: String) async throws -> TemporaryBrowser {
        try await folder.writeProgram("chromium", script: chromium)
        return try await TemporaryBrowser(
            trusting: URL(filePath: "/dev/null"),
            family: .chromium,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"]
        )
    }

    @Test func `a browser hears the signals that the thread which opens it does not`() async throws {
        try await folder.writeProgram("certutil", script: "exit 0")
        let browser = try await browser(chromium: "kill -TERM $$\nexec sleep 60")
        let url = try #require(URL(string: "https://localhost/"))
        let hasEnded = Mutex(false)

        let opening = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
            Thread.detachNewThread {
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                continuation.resume(returning: Result { try browser.open(url) { hasEnded.withLock { $0 = true } } })
            }
        }
        try opening.get()

        try await until(hasEnded.withLock { $0 })
        #expect(await browser.close())
        #expect(!FileManager.default.fileExists(atPath: browser.home.path(percentEncoded: false)))
    }

    @Test func `a window that is closed ends its browser`() async throws {
        try await folder.writeProgram("certutil", script: "exit 0")
        let browser = try await browser(chromium: "exec sleep 60")
        let ends = Mutex(0)
        try browser.open(try #require(URL(string: "https://localhost/"))) { ends.withLock { $0 += 1 } }

        #expect(await browser.close())

        try await until(ends.withLock { $0 } == 1)
    }

    @Test func `a program that does not start is told with the system's reason`() async throws {
        _ = try await folder.writeProgram("certutil", bytes: "#!/nonexistent/shell\n".utf8)

        let error = await #expect(throws: TemporaryBrowser.Unavailable.self) {
            try await browser(chromium: "exec sleep 60")
        }

        #expect(error?.reason.contains("its interpreter is missing") == true)
    }

    @Test func `a certutil that fails is told with its status`() async throws {
        try await folder.writeProgram("certutil", script: "exit 3")

        let error = await #expect(throws: TemporaryBrowser.Unavailable.self) {
            try await browser(chromium: "exec sleep 60")
        }

        #expect(error?.reason == "its profile cannot be created (certutil exited with status 3)")
    }

    @Test func `a profile that cannot be written is told with the file and the system's reason`() async throws {
        // A file in place of the home folder, in which the preferences are written next.
        let script = #"home=${2#sql:}; home=${home%/.pki/nssdb}; rm -rf "$home"; : > "$home""#
        try await folder.writeProgram("certutil", script: script)

        let error = await #expect(throws: TemporaryBrowser.Unavailable.self) {
            try await browser(chromium: "exec sleep 60")
        }

        let reason = try #require(error?.reason)
        #expect(reason.hasPrefix("its profile cannot be created (cannot use "), "\(reason)")
        #expect(reason.contains(": Not a directory. Set TMPDIR to"), "\(reason)")
    }
}
