// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

struct RetryingTransportTests {
    let time = ManualTime(skipsSleeps: true)
    let message: HTTPMessage

    init() throws {
        message = HTTPMessage(method: "GET", to: try HTTPAddress(#require(URL(string: "https://login.example/"))))
    }

    @Test(arguments: [500, 503, 599])
    func `a request to a failing server is retried once after half a second`(_ status: Int) async throws {
        let base = ScriptedTransport(.json("{}", status: status), .json("{}"))

        let reply = try await RetryingTransport(base: base, time: time).send(message)

        #expect(reply.status == 200)
        #expect(time.sleeps == [.milliseconds(500)])
        try base.verify()
    }

    @Test func `the second failure is reported`() async throws {
        let base = ScriptedTransport(.json("{}", status: 500), .json("{}", status: 502))

        #expect(try await RetryingTransport(base: base, time: time).send(message).status == 502)
        try base.verify()
    }

    @Test func `a server that names a pause is not retried`() async throws {
        let base = ScriptedTransport(.json("{}", status: 503, headers: ["retry-after": "5"]))

        #expect(try await RetryingTransport(base: base, time: time).send(message).status == 503)
        #expect(time.sleeps.isEmpty)
    }

    @Test(arguments: [200, 302, 400, 401, 429])
    func `other responses are final`(_ status: Int) async throws {
        let base = ScriptedTransport(.json("{}", status: status))

        #expect(try await RetryingTransport(base: base, time: time).send(message).status == status)
        #expect(base.messages.count == 1)
    }

    @Test(arguments: [TransportError.Kind.timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline])
    func `a broken connection is retried once`(_ kind: TransportError.Kind) async throws {
        let base = ScriptedTransport(.failure(kind), .json("{}"))

        _ = try await RetryingTransport(base: base, time: time).send(message)

        #expect(time.sleeps == [kind == .offline ? .seconds(2) : .milliseconds(500)])
    }

    @Test(arguments: [
        TransportError.Kind.badURL, .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid,
        .tlsHandshake,
        .canceled, .badResponse,
        .responseTooLarge(limit: 1),
    ])
    func `other failures are final`(_ kind: TransportError.Kind) async throws {
        let base = ScriptedTransport(.failure(kind))

        let failure = await #expect(throws: TransportError.self) {
            try await RetryingTransport(base: base, time: time).send(message)
        }

        #expect(failure?.kind == kind)
        #expect(base.messages.count == 1)
        #expect(time.sleeps.isEmpty)
    }

    @Test func `a message may forbid a retry and settings may change the policy`() async throws {
        var settings = RetrySettings()
        settings.count = 2
        let never = ScriptedTransport(.failure(.timedOut))
        let twice = ScriptedTransport(.failure(.timedOut), .failure(.timedOut), .json("{}"))

        let failure = await #expect(throws: TransportError.self) {
            var single = message
            single.repetition = .never
            return try await RetryingTransport(base: never, time: time).send(single)
        }
        #expect(failure?.kind == .timedOut)
        #expect(never.messages.count == 1)
        let patient = RetryingTransport(base: twice, settings: { [settings] in settings }, time: time)
        #expect(try await patient.send(message).status == 200)
        try twice.verify()
    }

    @Test(arguments: [TransportError.Kind.connectionLost, .timedOut])
    func `a single-use request is not sent again if the server may have received it`(
        _ kind: TransportError.Kind
    ) async throws {
        var message = message
        message.repetition = .unlessSent
        let lost = ScriptedTransport(.failure(kind, hasSentBody: true))
        let unsent = ScriptedTransport(.failure(kind), .json("{}"))
        let failing = ScriptedTransport(.json("{}", status: 500), .json("{}"))

        let failure = await #expect(throws: TransportError.self) {
            try await transport(lost) { ($0.count, $0.statuses) = (100, Set(0...999)) }.send(message)
        }
        #expect(failure?.kind == kind)
        #expect(lost.messages.count == 1)
        #expect(try await RetryingTransport(base: unsent, time: time).send(message).status == 200)
        #expect(try await RetryingTransport(base: failing, time: time).send(message).status == 200)
    }

    @Test func `another request is sent again although the server may have received it`() async throws {
        let base = ScriptedTransport(.failure(.connectionLost, hasSentBody: true), .json("{}"))

        #expect(try await RetryingTransport(base: base, time: time).send(message).status == 200)
    }

    // MARK: Policies

    /// A transport whose settings `change` has changed.
    private func transport(
        _ base: ScriptedTransport,
        random: Double = 0,
        _ change: (inout RetrySettings) -> Void
    ) -> RetryingTransport {
        var settings = RetrySettings()
        change(&settings)
        return RetryingTransport(base: base, settings: { [settings] in settings }, time: time, random: { random })
    }

    @Test(arguments: [
        (2.0, 0.0, [1.0, 2, 4, 8]), (3, 0.5, [0.75, 2.25, 6.75, 20.25]), (1000, 0, [1, 300, 300, 300]),
        (0, -1, [1, 1, 1, 1]), (.nan, .nan, [1, 1, 1, 1]), (.infinity, 7, [0.5, 300, 300, 300]),
    ])
    func `each delay is longer than the one before, and shorter by chance`(
        _ multiplier: Double,
        _ jitter: Double,
        _ delays: [Double]
    ) async throws {
        let base = ScriptedTransport(Array(repeating: .json("{}", status: 503), count: 5))
        let transport = transport(base, random: 0.5) {
            ($0.count, $0.interval, $0.multiplier, $0.jitter) = (4, .seconds(1), multiplier, jitter)
        }

        #expect(try await transport.send(message).status == 503)

        #expect(time.sleeps == delays.map { .seconds($0) })
        try base.verify()
    }

    @Test(arguments: [(Int.max, 101), (Int.min, 1), (0, 1)])
    func `a policy without an end ends after a hundred retries`(_ count: Int, _ attempts: Int) async throws {
        let base = ScriptedTransport(Array(repeating: .failure(.cannotConnect), count: attempts))
        let transport = transport(base) { ($0.count, $0.interval) = (count, .seconds(-1)) }

        await #expect(throws: TransportError.self) { try await transport.send(message) }

        #expect(time.sleeps == Array(repeating: .zero, count: attempts - 1))
        try base.verify()
    }

    @Test func `no attempt begins or continues after the total time`() async throws {
        let base = attempts(.seconds(20), .seconds(20), .seconds(20), at: time)
        let start = time.now
        let transport = transport(base) {
            ($0.count, $0.interval, $0.timeout, $0.totalTimeout) = (9, .seconds(5), .seconds(20), .seconds(60))
        }

        let failure = await #expect(throws: TransportError.self) { try await transport.send(message) }

        #expect(failure?.kind == .timedOut)
        #expect(base.messages.map(\.timeout) == [.seconds(20), .seconds(20), .seconds(10)])
        #expect(time.now.timeIntervalSince(start) == 60)
    }

    @Test func `a negative total time leaves no time`() async throws {
        let base = attempts(.seconds(20), at: time)

        await #expect(throws: TransportError.self) {
            try await transport(base) { $0.totalTimeout = .seconds(-1) }.send(message)
        }

        #expect(base.messages.map(\.timeout) == [.zero])
    }

    @Test(arguments: [(408, 200), (429, 200), (500, 500), (200, 200), (302, 302), (400, 400), (401, 401)])
    func `a policy may name statuses, but none that can be an outcome`(_ first: Int, _ last: Int) async throws {
        let base = ScriptedTransport(.json("{}", status: first), .json("{}"))
        let transport = transport(base) { $0.statuses = [200, 302, 400, 401, 408, 429] }

        #expect(try await transport.send(message).status == last)
        #expect(base.messages.count == (first == last ? 1 : 2))
    }

    @Test func `canceling ends the pause`() async throws {
        let clock = ManualTime()
        let base = ScriptedTransport(.failure(.timedOut))
        let transport = RetryingTransport(base: base, time: clock)
        let request = Task { try await transport.send(message) }  // Awaited below.
        await clock.untilSomebodySleeps()

        request.cancel()

        let failure = await #expect(throws: TransportError.self) { try await request.value }
        #expect(failure?.kind == .canceled)
    }

    @Test func `each attempt logs a line without a secret`() async throws {
        let lines = Mutex<[String]>([])
        let url = try #require(URL(string: "https://login.example/contoso/oauth2/v2.0/token?code=secret"))
        var message = HTTPMessage(
            method: "POST",
            to: try HTTPAddress(url),
            headers: ["Cookie": "secret"],
            body: Data("secret".utf8)
        )
        message.headers["client-request-id"] = "00000000-0000-0000-0000-00000000000A"
        let base = ScriptedTransport(.failure(.timedOut), .json("{}", status: 400))
        let listener = Log.Listener { level, line in
            let id = Log.correlationID?.uuidString.suffix(1) ?? "none"
            lines.withLock { $0.append("\(level) \(id) \(line)") }
        }

        _ = try await Log.$listener.withValue(listener) {
            try await RetryingTransport(base: base, time: time).send(message)
        }

        #expect(
            lines.withLock { $0 } == [
                "verbose A POST https://login.example/contoso/oauth2/v2.0/token: timedOut, 0 ms",
                "verbose A POST https://login.example/contoso/oauth2/v2.0/token: HTTP 400, 2 bytes, 0 ms",
            ]
        )
    }

    // MARK: One limit for all attempts

    /// A transport whose attempts take this long and end without a response.
    private func attempts(_ times: Duration..., at time: ManualTime) -> ScriptedTransport {
        ScriptedTransport(
            times.map { duration in
                ScriptedTransport.Response("\(duration)") { message throws(TransportError) in
                    time.advance(by: min(duration, message.timeout ?? .zero))
                    throw TransportError(.timedOut, message: "As the script says.")
                }
            }
        )
    }

    private func send(over base: ScriptedTransport, limitsAllAttempts: Bool) async -> TransportError? {
        var settings = RetrySettings()
        settings.timeout = .seconds(30)
        settings.limitsAllAttempts = limitsAllAttempts
        let transport = RetryingTransport(base: base, settings: { [settings] in settings }, time: time)
        return await #expect(throws: TransportError.self) { try await transport.send(message) }
    }

    @Test func `a server that hangs uses up a shared limit only once`() async throws {
        let start = time.now
        let base = attempts(.seconds(600), at: time)

        let error = await send(over: base, limitsAllAttempts: true)

        #expect(error?.kind == .timedOut)
        #expect(time.now.timeIntervalSince(start) == 30)
        #expect(base.messages.map(\.timeout) == [.seconds(30)])
    }

    @Test func `a further attempt has the remaining time`() async throws {
        let start = time.now
        let base = attempts(.seconds(20), .seconds(600), at: time)

        _ = await send(over: base, limitsAllAttempts: true)

        #expect(time.now.timeIntervalSince(start) == 30)
        #expect(base.messages.map(\.timeout) == [.seconds(30), .seconds(9.5)])
    }

    @Test func `without a shared limit each attempt has its own`() async throws {
        let base = attempts(.seconds(600), .seconds(600), at: time)

        _ = await send(over: base, limitsAllAttempts: false)

        #expect(base.messages.map(\.timeout) == [.seconds(30), .seconds(30)])
    }
}
