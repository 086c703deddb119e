// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite(.timeLimit(.minutes(1)))
struct TransitionTests {
    /// A service with a successful response for each endpoint.
    private static let hopeful: @Sendable (HTTPMessage) -> JSONValue = { message in
        switch message.url.lastPathComponent {
        case "token": Lee.tokens()
        case "challenge": Lee.code
        case "introspect": Lee.methods
        case "submit": Lee.submitted
        case "poll_completion": Lee.finished
        default: Lee.started
        }
    }

    @Test(arguments: Transition.allCases)
    func `each transition succeeds against a friendly service`(_ transition: Transition) async throws {
        let bench = try CoreBench(RespondingTransport { (200, Self.hopeful($0)) })

        let end = await transition.run(bench.client)

        #expect(!end.failed, "\(end.printed)")
    }

    @Test(arguments: Transition.allCases)
    func `cancellation ends each transition and is told apart`(_ transition: Transition) async throws {
        let time = ManualTime()
        let waiting = ScriptedTransport.Response("never") { _ throws(TransportError) in
            do {
                try await time.sleep(for: .seconds(600))
            } catch {
                throw TransportError(.canceled, message: "The calling task was cancelled.")
            }
            throw TransportError(.timedOut, message: "Nobody came.")
        }
        let bench = try CoreBench(ScriptedTransport(waiting), time: time)

        let task = Task { await transition.run(bench.client) }
        await time.untilSomebodySleeps()
        task.cancel()
        let end = await task.value

        #expect(end.isCanceled)
        #expect(try bench.records().isEmpty)
    }

    @Test(arguments: Transition.allCases)
    func `a canceled task sends nothing`(_ transition: Transition) async throws {
        let transport = ScriptedTransport()
        let bench = try CoreBench(transport)

        let end = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transition.run(bench.client)
        }.value

        #expect(end.isCanceled)
        #expect(transport.messages.isEmpty)
    }

    @Test(arguments: Transition.allCases)
    func `no secret is printed or logged`(_ transition: Transition) async throws {
        let lines = Mutex<[String]>([])
        let answers: [(Int, JSONValue)] = [
            (400, Lee.error("invalid_grant", suberror: "invalid_oob_value", codes: 50181)), (500, .null), (403, .null),
            (200, .object(["challenge_type": .string("redirect")])), (200, Lee.tokens(["client_info": .null])),
        ]
        var printed = ""
        try await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            for answer in answers {
                let bench = try CoreBench(RespondingTransport { _ in answer })
                printed += await transition.run(bench.client).printed
            }
            let friendly = try CoreBench(RespondingTransport { (200, Self.hopeful($0)) })
            printed += await transition.run(friendly.client).printed
        }

        printed += lines.withLock { $0.joined(separator: "\n") }

        #expect(!printed.isEmpty)
        for secret in Lee.secrets { #expect(!printed.contains(secret), "\(secret) is printed") }
    }

    @Test(arguments: Transition.allCases)
    func `all lines of a transition carry one correlation ID`(_ transition: Transition) async throws {
        let friendly = TalkativeTransport(RespondingTransport { (200, Self.hopeful($0)) })
        let bench = try CoreBench(friendly, store: TalkativeStore())
        let logged = LoggedIDs()

        let end = await logged.listen { await transition.run(bench.client) }

        #expect(!end.failed, "\(end.printed)")
        #expect(!logged.all.isEmpty)
        #expect(Set(logged.all).count == 1 && logged.all.first != .some(nil), "\(logged.all)")
    }

    @Test func `once the service names another correlation ID, lines carry that one`() async throws {
        let named = UUID()
        let friendly = RawTransport { message in
            let id = message.url.lastPathComponent == "initiate" ? ["client-request-id": named.uuidString] : [:]
            return HTTPResponse(status: 200, headers: id, body: Data(Self.hopeful(message).text.utf8))
        }
        let bench = try CoreBench(TalkativeTransport(friendly))
        var request = NativeAuth.SignInRequest(username: Lee.username)
        request.password = Secret("secret-password")  // A code is sent instead, which leaves a line.
        let logged = LoggedIDs()

        _ = try await logged.listen { [request] in try await bench.client.signIn(request) }

        #expect(logged.all == [request.correlationID, named, named])
    }

    @Test(arguments: Transition.allCases)
    func `no response of the service breaks a transition`(_ transition: Transition) async throws {
        for seed in UInt64(0)..<80 {
            let dice = Mutex(Dice(seed: seed))
            let bench = try CoreBench(
                RawTransport { message in
                    dice.withLock { dice in
                        let good = dice.isLucky ? Self.hopeful(message) : Lee.error("invalid_grant", codes: 1)
                        return HTTPResponse(
                            status: [200, 200, 200, 400, 400, 401, 403, 500, 302, 100][dice.below(10)],
                            headers: ["client-request-id": dice.isLucky ? "no uuid" : UUID().uuidString],
                            body: dice.mutated(good)
                        )
                    }
                }
            )

            let end = await transition.run(bench.client)

            if end.failed {
                let records = try bench.records()
                #expect(records.isEmpty, "seed \(seed): \(end.printed)")
            }
        }
    }
}

/// Responds to every request with a closure that returns status and JSON.
final class RespondingTransport: HTTPTransport {
    private let answer: @Sendable (HTTPMessage) -> (Int, JSONValue)
    private let sent = Mutex<[HTTPMessage]>([])

    init(_ answer: @escaping @Sendable (HTTPMessage) -> (Int, JSONValue)) {
        self.answer = answer
    }

    var messages: [HTTPMessage] { sent.withLock { $0 } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        sent.withLock { $0.append(message) }
        let (status, value) = answer(message)
        return HTTPResponse(status: status, body: Data(value.text.utf8))
    }
}

/// Responds to every request with a closure that returns bytes.
final class RawTransport: HTTPTransport {
    private let answer: @Sendable (HTTPMessage) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPMessage) -> HTTPResponse) {
        self.answer = answer
    }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse { answer(message) }
}
