// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

/// The options of `entra-emulator` for running anywhere.
struct ServeOptionsTests {
    @Test func `--version prints the version alone`() throws {
        let end = try Self.run(["--version"])

        #expect(end.status == 0)
        #expect(end.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
    }

    @Test func `--log-format json writes an object in each line of standard error`() throws {
        let end = try Self.run(["--log-format", "json", "--listen", "0.0.0.0"], untilItListens: true)

        let lines = try end.errors.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.contains { ($0["message"] as? String)?.contains("listening on 0.0.0.0") == true })
        #expect(lines.contains { $0["level"] as? String == "warning" })
        #expect(lines.allSatisfy { $0["time"] is String && $0["label"] as? String == "entra-emulator" })
        #expect(end.status == 0)
    }

    @Test func `--listen warns`() throws {
        let open = try Self.run(["--listen", "0.0.0.0"], untilItListens: true)
        let closed = try Self.run([], untilItListens: true)

        #expect(open.errors.contains("can sign in as any user, because the passwords are published: https://"))
        #expect(closed.errors == "")
    }

    @Test(arguments: [["--listen", "everywhere"], ["--control-listen", "everywhere"]])
    func `an address that is none ends the command with a sentence`(arguments: [String]) throws {
        let end = try Self.run(arguments)

        #expect(end.status == 1)
        #expect(end.errors.hasPrefix("entra-emulator: 'everywhere' is not an IP address; choose 0.0.0.0"))
    }

    @Test func `a token of a file is not printed`() throws {
        let file = Bench.stateDirectory.appendingPathComponent("token-\(UUID().uuidString)")
        let token = String(repeating: "0123456789abcdef", count: 2)
        try Data(token.utf8).write(to: file)
        chmod(file.path, 0o600)

        let end = try Self.run(["--control-token-file", file.path], untilItListens: true)

        #expect(end.output.contains("that of \(file.path)"))
        #expect(!end.output.contains(token))
    }

    @Test func `an empty name of a token file is a usage error`() throws {
        let end = try Self.run(["--control-token-file", ""])

        #expect(end.status == 2)
        #expect(end.errors.contains("--control-token-file must be the name of a file"))
    }

    @Test(arguments: [8, 24, 48])
    func `a limit of files that is too low ends the command with a sentence`(limit: Int) throws {
        let end = try Self.run([], limit: limit)

        #expect(end.status == 1)
        #expect(end.errors.hasPrefix("entra-emulator: this process may have \(limit) files and sockets open at a time"))
        #expect(end.errors.hasSuffix("ulimit -n 1024\n"))
    }

    @Test func `a low limit that may be raised does not matter`() throws {
        #expect(try Self.run([], untilItListens: true, limit: 16, bound: 256).status == 0)
    }

    @Test(arguments: [
        (["--mutual-tls-port", "0"], ["  Mutual TLS "]), (["--trust-port", "0"], ["  CA over HTTP "]),
        (["--mutual-tls-port", "0", "--trust-port", "0"], ["  Mutual TLS ", "  CA over HTTP "]),
    ])
    func `the greeting has a line for each other port`(options: [String], beginnings: [String]) throws {
        let end = try Self.run(options, untilItListens: true)

        let lines = end.output.split(separator: "\n")
        for beginning in beginnings { #expect(lines.contains { $0.hasPrefix(beginning) }) }
        #expect(!end.output.contains("^J"))
    }

    private struct End {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the command to its end, which comes when it listens if that is asked for.
    private static func run(
        _ arguments: [String],
        untilItListens: Bool = false,
        limit: Int? = nil,
        bound: Int? = nil
    ) throws -> End {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let errors = Bench.stateDirectory.appendingPathComponent("errors-\(UUID().uuidString)")
        try Data().write(to: errors)
        let command = folder.appendingPathComponent("entra-emulator").path
        let limits = limit.map { ["prlimit", "--nofile=\($0):\(bound ?? $0)"] } ?? []
        let program = try StartedProgram(
            "/usr/bin/env",
            limits + [command] + (untilItListens ? ["--port", "0", "--control-port", "0"] : []) + arguments,
            environment: ["HOME": Bench.stateDirectory.path],
            errors: try FileHandle(forWritingTo: errors)
        )
        var text = ""
        while untilItListens, !text.contains("Ctrl-C ends the emulator.") {
            let part = program.nextText()
            if part.isEmpty { break }
            text += part
        }
        if untilItListens { program.terminate() }
        let end = try program.end()
        return End(
            status: end.status,
            output: text + end.text,
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}
