// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import TestSupport
import Testing

/// Real programs. A time limit terminates those that hang, so no test needs a separate clock.
@Suite(.timeLimit(.minutes(1)))
struct SystemCommandsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A command whose program is this script.
    private func command(
        _ script: String,
        arguments: [String] = [],
        limit: Duration = .seconds(30)
    ) async throws -> ServerCommand {
        try await folder.writeProgram("tool", script: script)
        return ServerCommand(
            "tool",
            arguments: arguments,
            variables: ["PATH": "\(folder.path):/usr/bin:/bin", "GREETING": "hello"],
            limit: limit
        )
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private func fault(of command: ServerCommand) async -> CommandError? {
        do throws(CommandError) {
            _ = try await SystemCommands().run(command)
            return nil
        } catch {
            return error
        }
    }

    @Test func `both outputs and the status are returned`() async throws {
        let output = try await SystemCommands().run(await command("echo $GREETING; echo oh >&2; exit 3"))

        #expect(text(output.output) == "hello\n")
        #expect(text(output.errors) == "oh\n")
        #expect(output.status == 3)
    }

    @Test func `arguments reach the program unchanged, without a shell`() async throws {
        let words = ["'; rm -rf /", "$(id)", "two words", ""]

        let output = try await SystemCommands().run(await command(#"printf '<%s>' "$@""#, arguments: words))

        #expect(text(output.output) == words.map { "<\($0)>" }.joined())
    }

    @Test func `a program runs in the root folder, with an empty input`() async throws {
        let output = try await SystemCommands().run(await command("pwd; cat; echo end"))

        #expect(text(output.output) == "/\nend\n")
    }

    @Test func `a program inherits no open file`() async throws {
        let file = try #require(FileHandle(forReadingAtPath: "/etc/passwd"))
        defer { withExtendedLifetime(file) {} }

        let output = try await SystemCommands().run(await command("ls /dev/fd/ | tr '\\n' ' '"))

        // One more is the folder that the program lists.
        #expect(text(output.output).hasPrefix("0 1 2 "))
        #expect(text(output.output).split(separator: " ").count <= 4)
    }

    @Test func `a program that does not exist is missing`() async {
        let command = ServerCommand("no-such-tool", arguments: [], variables: ["PATH": folder.path])

        #expect(await fault(of: command) == .missing)
    }

    @Test func `a script without its interpreter is missing`() async throws {
        let command = try await command("")
        try Data("#!/no/such/shell\n".utf8).write(to: folder.url.appending(path: "tool"))

        #expect(await fault(of: command) == .missing)
    }

    @Test func `a folder in PATH that is not absolute is skipped`() async {
        let command = ServerCommand("sh", arguments: ["-c", "exit 0"], variables: ["PATH": ".:../../bin:bin"])

        #expect(await fault(of: command) == .missing)
    }

    @Test func `a program that hangs is terminated with all its children`() async throws {
        let pids = folder.url.appending(path: "pids")
        let script = "sleep 600 & echo $! > \(pids.path()).new; mv \(pids.path()).new \(pids.path()); wait"

        #expect(await fault(of: try await command(script, limit: .seconds(1))) == .timeout)

        let child = try #require(pid_t(try String(contentsOf: pids, encoding: .utf8).dropLast()))
        try await until(isGone(child))
    }

    @Test func `a program that ignores SIGTERM is terminated nevertheless`() async throws {
        let script = "trap '' TERM; while :; do sleep 600; done"

        #expect(await fault(of: try await command(script, limit: .milliseconds(200))) == .timeout)
    }

    @Test func `a program with endless output is terminated at the limit`() async throws {
        #expect(await fault(of: try await command("exec cat /dev/zero")) == .tooMuchOutput)
    }

    @Test func `a program with endless error output is terminated at the time limit`() async throws {
        #expect(await fault(of: try await command("exec cat /dev/zero >&2", limit: .milliseconds(500))) == .timeout)
    }

    @Test func `a megabyte is read completely`() async throws {
        let output = try await SystemCommands().run(await command("head -c 1048576 /dev/zero"))

        #expect(output.output.count == 1_048_576)
    }

    @Test func `a child that a program leaves running does not block the caller`() async throws {
        let output = try await SystemCommands().run(await command("sleep 20 & echo $!; echo done"))

        let lines = text(output.output).split(separator: "\n")
        #expect(lines.last == "done")
        let child = try #require(lines.first.flatMap { pid_t($0) })
        #expect(kill(child, 0) == 0)
        kill(child, SIGKILL)
    }

    @Test func `a canceled call terminates its program`() async throws {
        let started = folder.url.appending(path: "started")
        let command = try await command(
            "echo $$ > \(started.path()).new; mv \(started.path()).new \(started.path()); sleep 600"
        )
        let task = Task { await fault(of: command) }
        try await until(FileManager.default.fileExists(atPath: started.path()))

        task.cancel()

        #expect(await task.value == .cancelled)
        let child = try #require(pid_t(try String(contentsOf: started, encoding: .utf8).dropLast()))
        try await until(isGone(child))
    }

    @Test func `twenty concurrent programs have separate outputs`() async throws {
        let command = try await command("echo $1; sleep 0.1; echo $1", arguments: [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    var command = command
                    command.arguments = ["\(number)"]
                    let output = try await SystemCommands().run(command)
                    #expect(String(decoding: output.output, as: UTF8.self) == "\(number)\n\(number)\n")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Whether a process has ended. A process that was not waited for yet counts as ended.
    private func isGone(_ process: pid_t) -> Bool {
        if kill(process, 0) != 0 { return true }
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.contains(") Z ") ?? true
        #else
            return false
        #endif
    }
}
