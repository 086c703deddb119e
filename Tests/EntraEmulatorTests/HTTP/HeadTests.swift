// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// Heads with more cookies than the emulator reads, and with as many as a browser sends at most.
struct OversizedHeadTests {
    @Test(arguments: [(180, 200), (300, 431), (1_000, 431)])
    func `720 KiB of cookies are read, and more of them get a page`(cookies: Int, status: Int) async throws {
        try await Bench.run { bench in
            var request = HTTPClientRequest(url: bench.base + "/health")
            let cookie = "=" + String(repeating: "v", count: 4_090)
            let field = (0..<cookies).map { "c\($0)\(cookie)" }.joined(separator: "; ")
            request.headers.add(name: "Cookie", value: field)

            let response = try await bench.client.execute(request, timeout: .seconds(30))
            let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
            let next = try await bench.get("/health")

            #expect(response.status.code == UInt(status))
            #expect(body.contains("Too many cookies") == (status == 431))
            #expect(next.status == 200)
        }
    }
}

/// `HEAD`, whose response ends with its head.
struct HeadTests {
    @Test func `no body of a HEAD response is mistaken for the next response`() async throws {
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
