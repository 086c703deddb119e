// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import MSALBase
import TestSupport
import Testing

/// Runs the built `msal` as a user does: as a separate process, with its own environment and home directory.
struct CommandRunner {
    /// How a command ended, and its output.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// The members of its JSON output.
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        }
    }

    var environment: [String: String]
    /// The arguments of a program that starts the command. The first is its path.
    var starter: [String] = []
    private let home: TemporaryDirectory

    /// A user with these settings only.
    init(_ settings: [String: String] = [:]) throws {
        home = try TemporaryDirectory()
        environment = [
            "HOME": home.path, "MSAL_STORE_DIR": home.path, "PATH": "/usr/local/bin:/usr/bin:/bin",
        ].merging(settings) { $1 }
    }

    /// A customer of an emulator's External ID tenant, with an app of the seed.
    init(_ emulator: Emulator, clientID: String? = nil) throws {
        let port = try #require(emulator.baseURL.port)
        try self.init([
            "MSAL_CLIENT_ID": clientID ?? emulator.seed.clientID,
            "MSAL_AUTHORITY": "https://127.0.0.1:\(port)/fabrikam",
            "MSAL_CA_FILE": emulator.certificateAuthorityFile.path(),
        ])
    }

    /// The headless browser, which is built next to the tests.
    static let scriptedBrowser = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "ScriptedBrowser").path()

    /// A work account of an emulator, with a browser that signs it in and records its arguments in `arguments` of the
    /// home directory.
    init(browsing emulator: Emulator) async throws {
        try self.init(emulator)
        let port = try #require(emulator.baseURL.port)
        let browser = try await home.writeProgram(
            "browser",
            script: "printf '%s' \"$*\" > \(home.path)/arguments\nexec \(Self.scriptedBrowser) \"$1\""
        )
        environment.merge([
            "BROWSER": browser, "MSAL_STORE_KEY": "key-file",
            "MSAL_AUTHORITY": "https://localhost:\(port)/\(emulator.seed.tenantDomain)",
            "MSAL_AGENT_USER": emulator.seed.megan.userPrincipalName,
            "MSAL_AGENT_PASSWORD": emulator.seed.password,
        ]) { $1 }
    }

    /// The arguments of the browser, or `nil` if it was not started.
    var browserArguments: String? { try? String(contentsOfFile: "\(home.path)/arguments", encoding: .utf8) }

    /// Starts a command and waits for its end.
    func run(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await run(arguments, input: input)
    }

    /// A native sign-in with answers from standard input, and a report in JSON.
    func signIn(_ user: String, answers: String, options: [String] = []) async throws -> Outcome {
        try await run(["native", "sign-in", user] + options + ["--answers", "-", "-o", "json"], input: answers)
    }

    /// Runs the command with text on standard input.
    func run(_ arguments: [String], input: String) async throws -> Outcome {
        let standardInput = Pipe()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        return try await run(arguments, standardInput: standardInput.fileHandleForReading)
    }

    /// Runs the command without input. `output` and `errors`, if set, receive its output instead of the outcome.
    func run(_ arguments: [String], output: FileHandle? = nil, errors: FileHandle? = nil) async throws -> Outcome {
        try await run(arguments, standardInput: .nullDevice, standardOutput: output, standardError: errors)
    }

    /// Runs the command at a terminal: `drive` types and reads while it runs.
    func run(
        _ arguments: String...,
        at terminal: TestTerminal,
        driving drive: @escaping @Sendable (TestTerminal) async throws -> Void
    ) async throws -> Outcome {
        try await converse(arguments, at: terminal, driving: drive)
    }

    /// Runs the command with an array of arguments.
    func converse(
        _ arguments: [String],
        at terminal: TestTerminal,
        driving drive: @escaping @Sendable (TestTerminal) async throws -> Void
    ) async throws -> Outcome {
        async let conversation: Void = drive(terminal)
        let outcome = try await run(arguments, standardInput: terminal.program, standardError: terminal.program)
        try await conversation
        return outcome
    }

    /// Runs the command and interrupts it as by Ctrl-C once the screen shows `text`.
    func run(_ arguments: String..., at terminal: TestTerminal, interruptedAt text: String) async throws -> Outcome {
        try await run(arguments, at: terminal, onceItShows: text) { process in
            try #require(kill(process, SIGINT) == 0)
        }
    }

    /// Runs the command. Once the screen shows `text`, `act` receives the running process.
    func run(
        _ arguments: [String],
        at terminal: TestTerminal,
        onceItShows text: String,
        act: @escaping @Sendable (_ process: pid_t) async throws -> Void
    ) async throws -> Outcome {
        try await run(arguments, at: terminal) { process in
            var screen = ""
            try await terminal.until(text, seen: &screen)
            try await act(process)
        }
    }

    /// Runs the command and passes it to `act` at once.
    func run(
        _ arguments: [String],
        at terminal: TestTerminal,
        meanwhile act: @escaping @Sendable (_ process: pid_t) async throws -> Void
    ) async throws -> Outcome {
        let (started, continuation) = AsyncStream.makeStream(of: pid_t.self)
        async let action: Void = {
            var iterator = started.makeAsyncIterator()
            try await act(try #require(await iterator.next()))
        }()
        let outcome = try await run(arguments, standardInput: terminal.program, standardError: terminal.program) {
            continuation.yield($0)
        }
        continuation.finish()
        try await action
        return outcome
    }

    private func run(
        _ arguments: [String],
        standardInput: FileHandle,
        standardOutput: FileHandle? = nil,
        standardError: FileHandle? = nil,
        onStart started: (_ process: pid_t) -> Void = { _ in }
    ) async throws -> Outcome {
        // Files, because a pipe that is not read would block the writer.
        let (output, errors) = (
            home.url.appending(path: UUID().uuidString), home.url.appending(path: UUID().uuidString)
        )
        for file in [output, errors] { #expect(FileManager.default.createFile(atPath: file.path(), contents: nil)) }
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "msal")
        let handles = (
            output: try standardOutput ?? FileHandle(forWritingTo: output),
            errors: try standardError ?? FileHandle(forWritingTo: errors)
        )
        let words = starter + [program.path()] + arguments
        let process = try ChildProcess(
            words[0],
            arguments: Array(words.dropFirst()),
            environment: environment,
            streams: .init(
                input: standardInput.fileDescriptor,
                output: handles.output.fileDescriptor,
                errors: handles.errors.fileDescriptor
            )
        )
        started(process.id)
        let status = await withTaskCancellationHandler {
            await process.end()
        } onCancel: {
            kill(process.id, SIGKILL)  // A test at its time limit must not wait for the command.
        }
        return Outcome(
            status: status,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}
