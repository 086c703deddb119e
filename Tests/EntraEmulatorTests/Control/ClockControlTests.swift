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

    @Test func `the clock can be set, frozen, and continued`() async throws {
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

    @Test func `the time of one client can differ from that of others`() async throws {
        try await Self.run { bench, control in
            let seed = bench.emulator.seed
            let skewed = try await control.call(.POST, "/clock", ["clientId": seed.clientID, "skew": 600])
            let now = bench.emulator.now.timeIntervalSince1970
            let form = [
                "grant_type": "password", "username": "megan@contoso.example", "password": seed.password,
                "scope": "openid",
            ]
            let path = "/\(Bench.tenant)/oauth2/v2.0/token"
            let own = try await bench.send(.POST, to: path, form: form.merging(["client_id": seed.clientID]) { $1 })
            let other = try await bench.send(
                .POST,
                to: path,
                form: form.merging(["client_id": seed.tutorialClientID]) { $1 }
            )
            func issued(_ response: Bench.Response) throws -> Double {
                try #require(try Bench.claims(response.json()["id_token"])["iat"] as? Double) - now
            }
            let date = try #require(own.headers.first(name: "date"))
            let ended = try await control.call(.POST, "/clock", ["clientId": seed.clientID, "skew": 0])

            #expect(try skewed.json()["skews"] as? [String: Int] == [seed.clientID: 600])
            #expect(try (590...630).contains(issued(own)))
            #expect(try (-10...30).contains(issued(other)))
            #expect(date != other.headers.first(name: "date"))
            #expect(try ended.json()["skews"] as? [String: Int] == [:])
        }
    }

    @Test(arguments: [
        "{}", #"{"skew": 5}"#, #"{"clientId": "00000000-0000-4000-8000-000000000001"}"#,
        #"{"clientId": "nobody", "skew": 5}"#, #"{"set": "tomorrow"}"#, #"{"set": "2030-02-30T00:00:00Z"}"#,
        #"{"set": "9999-01-01T00:00:00Z"}"#, #"{"freeze": 1}"#,
    ])
    func `an invalid clock setting is rejected`(body: String) async throws {
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

    @Test func `random faults affect the same requests in every run`() async throws {
        try await Self.run { bench, control in
            var runs: [[Int]] = []
            for seed in [7, 7, 8] {
                _ = try await control.call(.DELETE, "/faults")
                let fault: [String: Any] = [
                    "pathSuffix": "/keys", "status": 503, "always": true, "probability": 0.5, "seed": seed,
                ]
                _ = try await control.call(.POST, "/faults", fault)
                var statuses: [Int] = []
                for _ in 0..<24 { statuses.append(try await bench.get("/common/discovery/v2.0/keys").status) }
                runs.append(statuses)
            }
            let wrong = try await control.send(
                .POST,
                "/faults",
                #"{"pathSuffix": "/keys", "status": 503, "probability": 2}"#
            )

            #expect(runs[0] == runs[1])
            #expect(runs[0] != runs[2])
            #expect(Set(runs[0]) == [200, 503])
            #expect(wrong.status == 400)
        }
    }

    @Test func `the journal is an HTTP Archive without secrets`() async throws {
        try await Self.run { bench, control in
            _ = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token?prompt=login&new=b",
                form: ["grant_type": "password", "password": "Pa55-word!", "client_id": "nobody"]
            )
            _ = try await control.token(["user": "megan@contoso.example", "api": "https://graph.microsoft.com"])
            let archive = try await control.call(.GET, "/journal?format=har")
            let log = try #require(try archive.json()["log"] as? [String: Any])
            let entries = try #require(log["entries"] as? [[String: Any]])
            let request = try #require(entries.first?["request"] as? [String: Any])
            let other = try await control.call(.GET, "/journal?format=pcap")

            #expect(log["version"] as? String == "1.2")
            #expect(entries.count == 1)
            let url = try #require(request["url"] as? String)
            #expect(url.hasPrefix("https://localhost"))
            #expect(url.hasSuffix("/\(Bench.tenant)/oauth2/v2.0/token?new=%E2%80%B9redacted%E2%80%BA&prompt=login"))
            #expect((entries[0]["response"] as? [String: Any])?["status"] as? Int == 400)
            #expect((entries[0]["comment"] as? String)?.hasPrefix("AADSTS700016") == true)
            #expect(!archive.text.contains("Pa55-word!"))
            #expect(other.status == 400)
        }
    }

    @Test func `a test can wait for a request before or after it arrives`() async throws {
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
