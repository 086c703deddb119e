// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// The `Host` of a request.
struct HostFieldTests {
    @Test(arguments: [
        ["localhost", "localhost"], ["localhost", "other.example"], ["a b"], ["localhost/path"], ["localhost:port"],
        ["localhost:70000"], ["user@localhost"],
    ])
    func `a request without exactly one host is refused on both ports`(hosts: [String]) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            for port in [bench.emulator.port, try #require(bench.emulator.controlPort)] {
                var request = HTTPClientRequest(url: "https://localhost:\(port)/common/discovery/v2.0/keys")
                for host in hosts { request.headers.add(name: "host", value: host) }
                let response = try await bench.client.execute(request, timeout: .seconds(20))
                let body = try await response.body.collect(upTo: 1 << 16)

                #expect(response.status == .badRequest)
                #expect(String(buffer: body).contains("exactly one Host header field"))
            }
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST:1", "[::1]:1", "10.0.0.7", ""])
    func `any other host is accepted`(host: String) async throws {
        try await Bench.run { bench in
            let response = try await bench.send(.GET, to: "/common/discovery/v2.0/keys", headers: ["host": host])

            #expect(response.status == 200)
        }
    }
}
