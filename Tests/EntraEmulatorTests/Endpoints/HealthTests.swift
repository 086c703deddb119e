// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The probe of a container or a script.
struct HealthTests {
    @Test(arguments: [HTTPMethod.GET, .HEAD])
    func `both ports report their health, without token and journal entry`(method: HTTPMethod) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            bench.emulator.enqueueFault(Fault(pathSuffix: "", status: 503))
            for port in [bench.emulator.port, try #require(bench.emulator.controlPort)] {
                let response = try await bench.send(method, to: "https://localhost:\(port)/health")

                #expect(response.status == 200)
                #expect(response.text == (method == .GET ? #"{"status":"ok"}"# : ""))
                #expect(response.headers["content-type"] == ["application/json; charset=utf-8"])
            }
            #expect(bench.emulator.journal.isEmpty)
            let other = try await bench.get("/")
            #expect(other.status == 503)
        }
    }

    @Test func `another method is rejected`() async throws {
        try await Bench.run { bench in
            let response = try await bench.send(.POST, to: "/health")

            #expect(response.status == 405)
            #expect(try response.errorCode() == 900_561)
        }
    }
}
