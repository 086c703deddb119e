// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// `entra-emulator probe`, at APIs of the emulator itself.
struct ProbeCommandTests {
    private static func probe(_ bench: Bench, _ path: String, _ more: String...) throws -> (status: Int32, text: String)
    {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let process = Process()
        let output = Pipe()
        process.executableURL = folder.appending(path: "entra-emulator")
        process.arguments =
            [
                "probe", path.hasPrefix("http") ? path : bench.base + path, "--control-port",
                String(try #require(bench.emulator.controlPort)), "--state", Bench.stateDirectory.path,
            ] + more
        process.environment = ["COLUMNS": "200", "HOME": Bench.stateDirectory.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func `an API that checks everything refuses each flaw`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try Self.probe(bench, "/api/todos", "--api", bench.emulator.seed.apiIdentifier)

            #expect(end.status == 0, "\(end.text)")
            for flaw in TestToken.Flaw.allCases { #expect(end.text.contains(flaw.rawValue)) }
            #expect(!end.text.contains("LET IN"))
        }
    }

    @Test func `what checks nothing lets each flaw in`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try Self.probe(bench, "/health", "--api", bench.emulator.seed.apiIdentifier)

            #expect(end.status == 1)
            #expect(end.text.contains("11 let in: expired, notYetValid, wrongKey"))
        }
    }

    @Test func `an API that lets nobody in cannot be judged`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let seed = bench.emulator.seed
            let end = try Self.probe(bench, "/api/todos", "--api", seed.payrollAPIIdentifier)

            #expect(end.status == 2)
            #expect(end.text.contains("cannot be judged: a good token got 401"))
        }
    }

    @Test func `another machine is not probed by accident`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try Self.probe(bench, "https://api.example/tasks", "--api", "api://tasks")

            #expect(end.status == EX_USAGE)
            #expect(end.text.contains("--remote"))
        }
    }
}
