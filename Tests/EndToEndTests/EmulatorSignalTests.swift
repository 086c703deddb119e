// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

/// `entra-emulator` leaves nothing in the temporary folder when a signal ends it.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EmulatorSignalTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The tests may have inherited ignored signals.
    private static let plain = ["/usr/bin/env", "--default-signal"]
    /// The signals of a user, a closed terminal, and `kill`.
    private static let usual = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Starts an emulator command in a separate process group.
    private func start(
        _ words: [String],
        by starter: [String] = plain,
        adding variables: [String: String] = [:]
    ) throws -> (process: ChildProcess, text: ProgramText) {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "entra-emulator").path()
        let output = Pipe()
        let words = starter + [program] + words
        let environment = ["HOME": folder.path, "TMPDIR": folder.path, "PATH": "/usr/bin:/bin"]
        let process = try ChildProcess(
            words[0],
            arguments: Array(words.dropFirst()),
            environment: environment.merging(variables) { $1 },
            streams: .init(
                input: FileHandle.nullDevice.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor,
                errors: output.fileHandleForWriting.fileDescriptor
            )
        )
        try output.fileHandleForWriting.close()
        return (process, ProgramText(from: output.fileHandleForReading))
    }

    /// Starts an emulator with key files of Azure Arc, and waits until it listens.
    private func serve(by starter: [String] = plain) async throws -> ChildProcess {
        try SharedKeys.makeEmulatorState(at: URL(filePath: state))
        let (process, text) = try start(
            [
                "--port", "0", "--control-port", "0", "--managed-identity", "--managed-identity-port", "0",
                "--state", state,
            ],
            by: starter
        )
        var seen = ""
        try await text.until("The key files of Azure Arc are in", seen: &seen)
        return process
    }

    /// The certificates, which remain.
    private var state: String { "\(folder.path)/state" }

    private var leftovers: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("entra-emulator") }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU])
    func `a signal that ends the emulator leaves no folder`(_ signal: Int32) async throws {
        let process = try await serve()
        #expect(try leftovers.count == 1)

        try #require(kill(process.id, signal) == 0)
        _ = await process.end()

        #expect(try leftovers == [])
    }

    @Test func `a signal that the parent ignores has no handler`() async throws {
        let process = try await serve(by: ["/usr/bin/nohup"])
        // The descriptors with which it waits for signals, see proc(5).
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

    @Test(arguments: usual)
    func `a signal that ends run and its program leaves no folder`(_ signal: Int32) async throws {
        try SharedKeys.makeEmulatorState(at: URL(filePath: state))
        let program = ["/bin/sh", "-c", "echo begins; exec sleep 60"]
        let (process, text) = try start(["run", "--quiet", "--state", state] + program)
        var seen = ""
        try await text.until("begins", seen: &seen)
        #expect(try leftovers.contains { $0.hasPrefix("entra-emulator-run-") })

        // A terminal sends its signals to the whole process group.
        try #require(kill(-process.id, signal) == 0)

        #expect(await process.end() == 128 + signal)
        #expect(try leftovers == [])
    }

    /// The first start creates keys, which takes a moment.
    @Test(arguments: usual)
    func `a signal before the program of run starts leaves no folder`(_ signal: Int32) async throws {
        let (process, _) = try start(["run", "--quiet", "--state", state, "/bin/sleep", "60"])
        try await until(!leftovers.isEmpty)

        try #require(kill(-process.id, signal) == 0)

        #expect(await process.end() == 128 + signal)
        #expect(try leftovers == [])
    }

    @Test(arguments: usual)
    func `a signal that ends browse leaves no folder`(_ signal: Int32) async throws {
        // Neither a browser nor the tool that creates its profile has to be installed.
        try await folder.writeProgram("certutil", script: "exit 0")
        try await folder.writeProgram("chromium", script: "exec sleep 60")
        let (process, text) = try start(
            ["browse", "--state", state],
            adding: ["PATH": "\(folder.path):/usr/bin:/bin", "DISPLAY": ":0"]
        )
        var seen = ""
        try await text.until("Close it, or press Ctrl-C.", seen: &seen)
        #expect(try leftovers.contains { $0.hasPrefix("entra-emulator-browser-") })

        try #require(kill(process.id, signal) == 0)

        #expect(await process.end() == 0)
        #expect(try leftovers == [])
    }

    private static let hasBus = ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: EmulatorSignalTests.hasBus, "dbus-daemon is not installed"), arguments: usual)
    func `a signal that ends broker leaves no folder`(_ signal: Int32) async throws {
        let (process, text) = try start([
            "broker", "--signed-in", "megan@contoso.example", "--port", "0", "--control-port", "0", "--state", state,
        ])
        var seen = ""
        try await text.until("DBUS_SESSION_BUS_ADDRESS='unix:path=", seen: &seen)
        let address = try await text.until("'", seen: &seen)
        // It is not in TMPDIR, because the path of a socket has to be short.
        let place = try #require(address.firstMatch(of: /\/tmp\/entra-emulator-broker-\w+/))
        let bus = String(place.output)
        #expect(FileManager.default.fileExists(atPath: bus))

        try #require(kill(process.id, signal) == 0)

        #expect(await process.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: bus))
        #expect(try leftovers == [])
    }
}
