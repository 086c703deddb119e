// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// `HEAD`, whose response ends with its head.
struct HeadTests {
    @Test func `no responder's body is taken for the next response`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            bench.emulator.enqueueFault(Fault(pathSuffix: "/keys", status: 503, body: "HTTP/1.1 200 OK"))

            for (path, status) in [("/common/discovery/v2.0/keys", 503), ("/nowhere", 404), (control + "/users", 401)] {
                let head = try await bench.send(.HEAD, to: path)
                let next = try await bench.get(path.hasPrefix("https") ? control + "/health" : "/health")

                #expect(head.status == status && head.text.isEmpty)
                #expect(next.status == 200 && next.text == #"{"status":"ok"}"#)
            }
        }
    }
}
