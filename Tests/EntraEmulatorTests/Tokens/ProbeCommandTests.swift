// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `entra-emulator probe`, at APIs of the emulator itself.
struct ProbeCommandTests {
    private static func probe(_ bench: Bench, _ path: String, _ more: [String]) async throws -> CommandRun {
        let port = String(try #require(bench.emulator.controlPort))
        let address = path.hasPrefix("http") ? path : bench.base + path
        let place = ["--control-port", port, "--state", Bench.stateDirectory.path]
        return try await CommandRun(["probe", address] + place + more)
    }

    @Test func `an API that checks everything rejects each flaw`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try await Self.probe(bench, "/api/todos", ["--api", bench.emulator.seed.apiIdentifier])

            #expect(end.status == 0, "\(end.text)")
            for flaw in TestToken.Flaw.allCases { #expect(end.text.contains(flaw.rawValue)) }
            #expect(!end.text.contains("LET IN"))
        }
    }

    @Test func `an API at a name below localhost is probed without a name server`() async throws {
        let folder = Bench.stateDirectory.appending(path: "probe-\(UUID().uuidString)")
        try await Bench.run({
            $0.controlPort = 0
            $0.stateDirectory = folder
            $0.additionalHosts = ["app.localhost"]
        }) { bench in
            let address = bench.base.replacingOccurrences(of: "localhost", with: "app.localhost") + "/api/todos"
            let port = String(try #require(bench.emulator.controlPort))
            let end = try await CommandRun([
                "probe", address, "--api", bench.emulator.seed.apiIdentifier, "--control-port", port, "--state",
                folder.path,
            ])

            #expect(end.status == 0, "\(end.text)")
        }
    }

    @Test func `an API that checks nothing accepts each flaw`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try await Self.probe(bench, "/health", ["--api", bench.emulator.seed.apiIdentifier])

            #expect(end.status == 1, "\(end.text)")
            #expect(end.text.contains("11 let in: expired, notYetValid, wrongKey"))
        }
    }

    @Test func `an API that rejects every token cannot be judged`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let seed = bench.emulator.seed
            let end = try await Self.probe(bench, "/api/todos", ["--api", seed.payrollAPIIdentifier])

            #expect(end.status == 2, "\(end.text)")
            #expect(end.text.contains("cannot test the API: a valid token got the status 401"))
        }
    }

    @Test(arguments: [302, 500])
    func `any other status counts as let in, and no redirect is followed`(status: Int) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let headers = status == 302 ? ["Location": "\(bench.base)/api2/todos"] : [:]
            var fault = Fault(pathSuffix: "/api/todos", status: status, headers: headers, count: Fault.always)
            fault.skip = 1
            bench.emulator.enqueueFault(fault)
            let end = try await Self.probe(bench, "/api/todos", ["--api", bench.emulator.seed.apiIdentifier])

            #expect(end.status == 1, "\(end.text)")
            #expect(end.text.contains("\(status) LET IN"))
            #expect(end.text.contains("11 let in: expired"))
            #expect(!bench.emulator.journal.contains { $0.path == "/api2/todos" })
        }
    }

    @Test(arguments: [[], ["--method", "put"]])
    func `the method is GET, or the one that is named`(words: [String]) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try await Self.probe(bench, "/api/todos", ["--api", bench.emulator.seed.apiIdentifier] + words)
            let methods = bench.emulator.journal.filter { $0.path == "/api/todos" }.map(\.method)

            #expect(Set(methods) == [words.isEmpty ? "GET" : "PUT"], "\(end.text)")
        }
    }

    @Test func `another machine is probed where that is allowed`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            // The address leads here, and the command does not know it.
            let address = bench.base.replacingOccurrences(of: "localhost", with: "0.0.0.0") + "/health"
            let api = bench.emulator.seed.apiIdentifier
            let refused = try await Self.probe(bench, address, ["--api", api])
            let end = try await Self.probe(bench, address, ["--api", api, "--remote"])

            #expect(refused.status == 2)
            #expect(end.status == 1, "\(end.text)")
            #expect(end.text.contains("11 let in: expired"))
        }
    }

    @Test func `another machine is not probed by accident`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try await Self.probe(bench, "https://api.example/tasks", ["--api", "api://tasks"])

            #expect(end.status == 2)
            #expect(end.text.contains("--remote"))
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:65536/", "https://localhost:0/", "http://[::1]:99999999999999999999/", "ftp://localhost/",
        "http://user@localhost/", "http:///tasks",
    ])
    func `an address that no server can have is refused in a line`(_ address: String) async throws {
        let end = try await CommandRun(["probe", address, "--api", "api://tasks", "--remote"])

        #expect(end.status == 2, "\(end.text)")
        #expect(end.text.contains("'\(address)' is not an http or https address"))
    }

    @Test func `an API that does not run is reported with an explanation`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let api = bench.emulator.seed.apiIdentifier
            let end = try await Self.probe(bench, "https://localhost:1/tasks", ["--api", api])

            #expect(end.status == 1, "\(end.text)")
            #expect(end.text.contains("https://localhost:1/tasks does not respond: the connection was refused"))
        }
    }

    @Test func `a pipe without a writer is not accepted as an authority file`() async throws {
        let folder = try TemporaryDirectory()
        let pipe = folder.url.appending(path: "pipe").path(percentEncoded: false)
        try #require(mkfifo(pipe, 0o600) == 0)

        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let end = try await Self.probe(bench, "/health", ["--api", "api://tasks", "--ca-file", pipe])

            #expect(end.status == 1, "\(end.text)")
            #expect(end.text.contains("--ca-file \(pipe) "), "\(end.text)")
        }
    }
}
