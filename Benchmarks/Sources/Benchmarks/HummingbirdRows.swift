// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALHummingbird
import MSALServer

/// An empty Hummingbird route, with and without the check of the token. The server runs on one processor, `wrk` on another.
struct HummingbirdRows {
    let table: Table
    let issuer: Issuer
    let folder: String
    let most: Int

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The results of `wrk` for one route.
    private struct Load {
        var perSecond: [Double] = []
        /// 99th percentiles, in microseconds.
        var slow: [Double] = []
        /// The server's processor time per request, in microseconds.
        var costs: [Double] = []

        mutating func add(_ other: Load) {
            perSecond += other.perSecond
            slow += other.slow
            costs += other.costs
        }
    }

    func run() async throws {
        let tokens = try (0..<min(1000, most)).map { try issuer.token($0) }
        try tokens.joined(separator: "\n").write(toFile: folder + "/tokens", atomically: true, encoding: .utf8)
        try Self.script.write(toFile: folder + "/tokens.lua", atomically: true, encoding: .utf8)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let server = try Spawned(
            "/usr/bin/env",
            ["taskset", "-c", "0", own, Errand.protecting.rawValue, issuer.audience]
        )
        defer { server.kill() }
        let port = String(decoding: server.read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !port.isEmpty else { throw Failure(description: "the Hummingbird server does not start") }
        var plain = Load()
        var checked = Load()
        // In turns, so that machine load affects both equally. The first round warms up.
        for round in 0..<(most >= 10_000 ? 11 : 3) {
            let first = try load("plain", port, on: server)
            let second = try load("checked", port, on: server)
            guard round > 0 else { continue }
            plain.add(first)
            checked.add(second)
        }
        let share = median(zip(checked.perSecond, plain.perSecond).map { $0 / $1 })
        table.row(
            "Hummingbird, requests per second with the check, relative to without",
            at: tokens.count,
            value: share,
            unit: .ratio,
            limit: Limit(what: "\(Int(median(plain.perSecond))) per second without", value: nil),
            target: 0.75,
            isFloor: true
        )
        table.row(
            "Hummingbird, 99th percentile of 64 connections, beyond that without the check",
            at: tokens.count,
            value: median(zip(checked.slow, plain.slow).map { $0 - $1 }),
            unit: .microseconds,
            limit: Limit(what: "without", value: median(plain.slow)),
            target: 300
        )
        table.row(
            "Hummingbird, processor time of a request with the check of a cached token",
            at: tokens.count,
            Figure(checked.costs.map { Cost(cpu: $0, wall: .nan) }),
            limit: Limit(what: "without", value: median(plain.costs))
        )
        table.row(
            "Hummingbird, memory of the server after these requests",
            at: tokens.count,
            value: Double(server.residentBytes),
            unit: .bytes
        )
    }

    private func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }

    private func load(_ route: String, _ port: String, on server: Spawned) throws -> Load {
        let before = server.processorSeconds
        let wrk = try Spawned(
            "/usr/bin/env",
            [
                "taskset", "-c", "1", "wrk", "-t1", "-c64", "-d3s", "-s", folder + "/tokens.lua",
                "http://127.0.0.1:\(port)/\(route)", "--",
            ]
                + [folder + "/tokens"]
        )
        var output: [UInt8] = []
        while case let more = wrk.read(), !more.isEmpty { output += more }
        guard wrk.end() == 0 else {
            throw Failure(description: "wrk failed, or is not installed (apt-get install wrk)")
        }
        let last = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
        let figures = last.split(separator: " ").compactMap { Double($0) }
        // Requests, microseconds, 99th percentile in microseconds, and failures, including responses other than 200.
        guard figures.count == 4, figures[0] > 0, figures[3] == 0 else {
            throw Failure(
                description: "wrk failed at /\(route): \(String(decoding: output.suffix(300), as: UTF8.self))"
            )
        }
        var load = Load()
        load.perSecond = [figures[0] / figures[1] * 1e6]
        load.slow = [figures[2]]
        load.costs = [(server.processorSeconds - before) * 1e6 / figures[0]]
        return load
    }

    /// The script of `wrk`: each request has the next token.
    private static let script = """
        local requests, number = {}, 0
        function init(arguments)
            for token in io.lines(arguments[1]) do
                requests[#requests + 1] = wrk.format("GET", wrk.path, {["Authorization"] = "Bearer " .. token})
            end
        end
        function request()
            number = number % #requests + 1
            return requests[number]
        end
        function done(summary, latency)
            local errors = summary.errors
            local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
            print("\\n" .. summary.requests .. " " .. summary.duration .. " " .. latency:percentile(99) .. " " .. failed)
        end
        """
}

extension HummingbirdRows {
    /// Runs the server with both routes, and prints its port. Runs in a child of ``run()``.
    static func protect(audience: String) async throws {
        let validator = try await Issuer.validator(of: audience, caching: 10_000)
        let router = Router(context: MSALAPIContext.self)
        router.get("plain") { _, _ in HTTPResponse.Status.ok }
        router.group("checked").add(middleware: MSALAuthenticator(validator, requiring: .scope("Orders.Read")))
            .get { _, _ in HTTPResponse.Status.ok }
        var application = Hummingbird.Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in say("\(channel.localAddress?.port ?? 0)") }
        )
        application.logger.logLevel = .critical
        try await application.runService()
    }
}
