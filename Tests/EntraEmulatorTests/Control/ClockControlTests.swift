// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The clock, scripts of faults and requests that are waited for.
struct ClockControlTests {
    private static func run(_ body: (Bench, ControlPort) async throws -> Void) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in try await body(bench, ControlPort(bench)) }
    }

    @Test func `the clock is set, stands still, and goes on from there`() async throws {
        try await Self.run { bench, control in
            let date = Date(timeIntervalSince1970: 1_924_991_999)
            let frozen = try await control.call(.POST, "/clock", ["set": "2030-12-31T23:59:59Z", "freeze": true])
            let stood = bench.emulator.now
            let moved = try await control.call(.POST, "/clock", ["advance": 60])
            let shown = try await control.call(.GET, "/clock")
            _ = try await control.call(.POST, "/clock", ["freeze": false])
            let later = bench.emulator.now

            #expect(frozen.status == 200)
            #expect(abs(stood.timeIntervalSince(date)) < 0.001)
            #expect(try moved.json()["now"] as? String == "2031-01-01 00:00:59Z")
            #expect(try shown.json()["frozen"] as? Bool == true)
            #expect(later.timeIntervalSince(date) >= 60)
            #expect(later.timeIntervalSince(date) < 120)
        }
    }

    @Test(arguments: ["{}", #"{"set": "tomorrow"}"#, #"{"set": "9999-01-01T00:00:00Z"}"#, #"{"freeze": 1}"#])
    func `a clock that cannot be is refused`(body: String) async throws {
        try await Self.run { _, control in
            let response = try await control.send(.POST, "/clock", body)
            #expect(response.status == 400)
        }
    }

    @Test func `a script has a step for each request, and a fault may skip some`() async throws {
        try await Self.run { bench, control in
            let path = "/common/discovery/v2.0/keys"
            let script: [String: Any] = ["pathSuffix": "/keys", "script": [["status": 503], [:], ["status": 429]]]
            let queued = try await control.call(.POST, "/faults", script)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await bench.get(path).status) }
            _ = try await control.call(.POST, "/faults", ["pathSuffix": "/keys", "status": 500, "skip": 1])
            for _ in 0..<3 { statuses.append(try await bench.get(path).status) }
            let both = try await control.send(
                .POST,
                "/faults",
                #"{"pathSuffix": "/keys", "count": 2, "script": [{"status": 503}]}"#
            )
            let empty = try await control.send(.POST, "/faults", #"{"pathSuffix": "/keys", "script": []}"#)

            #expect(queued.status == 201)
            #expect(statuses == [503, 200, 429, 200, 200, 500, 200])
            #expect(both.status == 400)
            #expect(empty.status == 400)
        }
    }

    @Test func `a request is waited for, whether it has come or not`() async throws {
        try await Self.run { bench, control in
            async let waiting = control.call(.POST, "/expect", ["pathSuffix": "/keys", "method": "get"])
            _ = try await bench.get("/common/discovery/v2.0/keys")
            let found = try await waiting
            let entry = try #require(try found.json()["entry"] as? [String: Any])
            let again = try await control.call(.POST, "/expect", ["pathSuffix": "/keys"])
            let none = try await control.call(.POST, "/expect", ["pathSuffix": "/nowhere", "seconds": 0])

            #expect(entry["path"] as? String == "/common/discovery/v2.0/keys")
            #expect(again.text.contains("/keys"))
            #expect(none.text == "{\"entry\":null}")
        }
    }
}
