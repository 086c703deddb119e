// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALCore

struct MSALHTTPConfigTests {
    private let config = MSALHTTPConfig()
    private let time = ManualTime(skipsSleeps: true)
    private let base = ScriptedTransport()
    private let url = URL(string: "https://login.contoso.example/token")

    private func send() async throws -> HTTPResponse {
        let settings = { @Sendable [config] in config.snapshot(policy: nil) }
        let transport = RetryingTransport(base: base, settings: settings, time: time)
        return try await transport.send(HTTPMessage(method: "POST", to: try HTTPAddress(#require(url))))
    }

    @Test func `a failed request is retried once after half a second and may take five minutes`() async throws {
        for _ in 0..<2 { base.append(.json("{}", status: 503)) }

        let reply = try await send()

        #expect(reply.status == 503)
        #expect(time.sleeps == [.milliseconds(500)])
        #expect(base.messages.map(\.timeout) == [.seconds(300), .seconds(300)])
        try base.verify()
    }

    @Test func `a changed setting applies from the next request on`() async throws {
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

    /// Runs in a separate process: the settings are shared by all suites of this process.
    @Test func `the settings of the process apply to the network of the machine`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ClosedProxy()
            let url = try #require(URL(string: "https://login.contoso.example/token"))
            (MSALGlobalConfig.httpConfig.retryCount, MSALGlobalConfig.httpConfig.retryInterval) = (2, 0)

            let failure = await #expect(throws: TransportError.self) {
                let machine = SystemMachine.platform(caFile: nil, ["HTTPS_PROXY": proxy.address])
                return try await machine.transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
            }

            #expect(failure?.kind == .cannotConnect)
            #expect(proxy.calls == 3)
        }
    }

    @Test func `an application has its own proxy and retries, and so has a copy of its configuration`() async throws {
        let proxy = try ClosedProxy()
        let url = try #require(URL(string: "https://login.contoso.example/token"))
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        configuration.proxy = try MSALProxy(url: #require(URL(string: proxy.address)))
        configuration.retryPolicy = MSALRetryPolicy(maximumRetries: 2, initialDelay: .zero)
        let copy = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        configuration.retryPolicy = .none

        for (configuration, calls) in [(copy, 3), (configuration, 4)] {
            let machine = try SystemMachine(for: configuration, environment: ["HTTPS_PROXY": "http://127.0.0.1:1"])
            await #expect(throws: TransportError.self) {
                try await machine.platform.transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
            }
            #expect(proxy.calls == calls)
        }
    }

    @Test func `numbers out of range are clamped`() {
        config.retryCount = -1
        config.retryInterval = .nan
        config.timeoutIntervalForRequest = .infinity

        #expect(config.retryCount == 0)
        #expect(config.retryInterval == 0)
        #expect(config.timeoutIntervalForRequest == 1e9)
    }
}

/// A proxy on this machine that rejects every request and counts its clients.
private final class ClosedProxy: Sendable {
    let address: String
    private let descriptor: Int32
    private let count: Count

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    init() throws {
        let port = try LoopbackPort()
        let descriptor = port.descriptor
        let count = Count()
        self.descriptor = descriptor
        self.count = count
        self.address = "http://127.0.0.1:\(port.number)"
        Thread.detachNewThread {
            while case let caller = accept(descriptor, nil, nil), caller >= 0 {
                count.value.add(1, ordering: .relaxed)
                var head = [UInt8](repeating: 0, count: 4096)
                _ = recv(caller, &head, head.count, 0)
                let answer = Array("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".utf8)
                _ = answer.withUnsafeBytes { send(caller, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                close(caller)
            }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var calls: Int { count.value.load(ordering: .relaxed) }
}
