// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

/// What `entra-emulator` leaves in the temporary folder when a signal ends it: nothing.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EmulatorSignalTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Starts an emulator with key files of Azure Arc, and waits until it listens. `act` gets its process.
    private func run(
        _ starter: [String] = [],
        act: (_ process: ChildProcess) async throws -> Void
    ) async throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "entra-emulator").path()
        let output = Pipe()
        let words =
            starter + [
                program, "--port", "0", "--control-port", "0", "--managed-identity", "--managed-identity-port", "0",
                "--state", "\(folder.path)/state",
            ]
        let process = try ChildProcess(
            words[0],
            arguments: Array(words.dropFirst()),
            environment: ["HOME": folder.path, "TMPDIR": folder.path, "PATH": "/usr/bin:/bin"],
            streams: .init(
                input: FileHandle.nullDevice.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor,
                errors: output.fileHandleForWriting.fileDescriptor
            )
        )
        try output.fileHandleForWriting.close()
        let text = ProgramText(from: output.fileHandleForReading)
        var seen = ""
        try await text.until("Azure Arc's key files are in", seen: &seen)
        try await act(process)
    }

    private var leftovers: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("entra-emulator") }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU])
    func `a signal that ends it leaves no folder`(_ signal: Int32) async throws {
        // These tests may have inherited that some are ignored.
        try await run(["/usr/bin/env", "--default-signal"]) { process in
            #expect(try leftovers.count == 1)
            try #require(kill(process.id, signal) == 0)
            _ = await process.end()
        }

        #expect(try leftovers == [])
    }

    @Test func `a signal that its caller ignores is not waited for`() async throws {
        try await run(["/usr/bin/nohup"]) { process in
            // The descriptors by which it waits for signals, see proc(5).
            let folder = "/proc/\(process.id)/fdinfo"
            let texts = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
            }
            let masks = texts.compactMap {
                $0.firstMatch(of: /sigmask:\s*([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) }
            }
            let awaited = masks.reduce(0, |)
            #expect(awaited & (1 << UInt64(SIGQUIT - 1)) != 0)
            #expect(awaited & (1 << UInt64(SIGHUP - 1)) == 0)
            try #require(kill(process.id, SIGTERM) == 0)
            #expect(await process.end() == 0)
        }
    }
}
