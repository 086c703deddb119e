// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

@testable import BrowserProfiles

/// The search for programs in `PATH`.
struct ProgramSearchTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// The folder as seen from any current folder.
    private var relative: String { String(repeating: "../", count: 64) + folder.path.dropFirst() }

    @Test(arguments: ["unshare", "setpriv", "slirp4netns", "pasta"])
    func `a relative folder holds no program that the emulator looks for`(name: String) async throws {
        try await folder.writeProgram(name, script: "exit 0")

        #expect(ChildProcess.executable(name, in: ["PATH": ":.:\(relative)"]) == nil)
        #expect(ChildProcess.executable(name, in: ["PATH": "\(relative):\(folder.path)"]) == "\(folder.path)/\(name)")
    }

    @Test func `a relative folder holds no certutil and no browser`() async throws {
        for name in ["certutil", "chromium"] {
            try await folder.writeProgram(name, script: "exit 0")
            #expect([name].firstProgram(["PATH": relative]) == nil)
            #expect([name].firstProgram(["PATH": "\(relative):\(folder.path)"])?.path == "\(folder.path)/\(name)")
        }
    }

    @Test func `a program that the user names is found as a shell finds it`() async throws {
        try await folder.writeProgram("app", script: "exit 0")

        let found = ChildProcess.executable("app", in: ["PATH": relative], asShell: true)
        #expect(found == "\(relative)/app")
    }
}
