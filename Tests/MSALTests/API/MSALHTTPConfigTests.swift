// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

struct MSALHTTPConfigTests {
    private let config = MSALHTTPConfig()
    private let time = ManualTime(skipsSleeps: true)
    private let base = ScriptedTransport()
    private let url = URL(string: "https://login.contoso.example/token")

    private func send() async throws -> HTTPReply {
        let transport = RetryingTransport(base: base, settings: { [config] in config.snapshot }, time: time)
        return try await transport.send(HTTPMessage(method: "POST", url: try #require(url)))
    }

    @Test func `a failed request is repeated once after half a second and may take five minutes`() async throws {
        for _ in 0..<2 { base.append(.json("{}", status: 503)) }

        let reply = try await send()

        #expect(reply.status == 503)
        #expect(time.sleeps == [.milliseconds(500)])
        #expect(base.messages.map(\.timeout) == [.seconds(300), .seconds(300)])
        try base.verify()
    }

    @Test func `what is set counts from the next request on`() async throws {
        for status in [503, 503, 503, 200] { base.append(.json("{}", status: status)) }
        config.retryCount = 3
        config.retryInterval = 7.5
        config.timeoutIntervalForRequest = 11

        let first = try await send()
        config.retryCount = 0
        base.append(.json("{}", status: 503))
        let second = try await send()

        #expect(first.status == 200)
        #expect(second.status == 503)
        #expect(time.sleeps == [.milliseconds(7500), .milliseconds(7500), .milliseconds(7500)])
        #expect(base.messages.map(\.timeout) == Array(repeating: .seconds(11), count: 5))
        try base.verify()
    }

    @Test func `numbers that no clock can hold are cut`() {
        config.retryCount = -1
        config.retryInterval = .nan
        config.timeoutIntervalForRequest = .infinity

        #expect(config.retryCount == 0)
        #expect(config.retryInterval == 0)
        #expect(config.timeoutIntervalForRequest == 1e9)
    }
}
