// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

@Suite(.timeLimit(.minutes(1)))
struct WireTests {
    private func signIn(_ bench: CoreBench, correlationID: UUID = UUID()) async -> NativeAuthFailure? {
        do throws(NativeAuthFailure) {
            _ = try await bench.client.signIn(
                NativeAuth.SignInRequest(username: Lee.username, correlationID: correlationID)
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `values are encoded unchanged, with spaces as plus`() async throws {
        let transport = ScriptedTransport(.answer(Lee.error("invalid_request"), status: 400))
        let bench = try CoreBench(transport)
        let state = NativeAuth.SignInPassword(continuation: Lee.continuation)

        _ = try? await bench.client.submitPassword(Secret(" p&s=ö+ "), in: state)

        let body = try #require(transport.messages.first?.body)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("password=+p%26s%3D%C3%B6%2B+&"))
        #expect(text.contains("challenge_type=oob+password+redirect"))
        #expect(!text.contains("oob=") && !text.contains("claims="))
    }

    @Test(
        arguments: [
            ("https://contoso.ciamlogin.com", "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
            ("https://login.contoso.com/t-1", "https://login.contoso.com/t-1"),
            ("https://127.0.0.1:8443/t-1", "https://127.0.0.1:8443/t-1"),
            ("https://login.contoso.com/t-1/?a=b", "https://login.contoso.com/t-1"),
        ]
    )
    func `endpoints are below the authority`(_ authority: String, _ base: String) async throws {
        let transport = ScriptedTransport(.answer(Lee.error("x"), status: 400))
        let bench = try CoreBench(transport, authority: authority) { $0.sliceDataCenter = "TEST DC" }

        _ = await signIn(bench)

        #expect(transport.messages.map(\.url.absoluteString) == ["\(base)/oauth2/v2.0/initiate?dc=TEST%20DC"])
    }

    @Test(
        arguments: [
            (TransportError.Kind.timedOut, [Duration.milliseconds(500)]), (.cannotFindHost, [.milliseconds(500)]),
            (.cannotConnect, [.milliseconds(500)]), (.connectionLost, [.milliseconds(500)]), (.offline, [.seconds(2)]),
            (.untrustedCertificate, []), (.badURL, []),
        ]
    )
    func `a request is repeated once if that may help`(
        _ kind: TransportError.Kind,
        _ pauses: [Duration]
    ) async throws {
        let time = ManualTime(skipsSleeps: true)
        let transport = ScriptedTransport(Array(repeating: .failure(kind), count: pauses.count + 1))
        let bench = try CoreBench(transport, time: time)

        let failure = await signIn(bench)

        #expect(failure?.message == NativeAuthFailure.Text.unexpectedBody)
        guard case .transport(let cause) = failure?.underlying?.kind else {
            Issue.record("The cause is lost.")
            return
        }
        #expect(cause.kind == kind)
        #expect(time.sleeps == pauses)
        try transport.verify()
    }

    @Test func `a busy service is called once more, whatever its Retry-After`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let busy = ScriptedTransport.Response.json("", status: 503, headers: ["Retry-After": "600"])
        let transport = ScriptedTransport(busy, .answer(Lee.error("user_not_found"), status: 400))
        let bench = try CoreBench(transport, time: time)

        let failure = await signIn(bench)

        #expect(failure?.kind == .userNotFound)
        #expect(time.sleeps == [.milliseconds(500)])
    }

    @Test(arguments: [200, 400, 401, 403])
    func `a page instead of JSON suggests a captive portal`(status: Int) async throws {
        let bench = try CoreBench(ScriptedTransport(.json("<html>Sign in to the network</html>", status: status)))

        let failure = await signIn(bench)

        #expect(failure?.underlying?.message.contains("sign-in portal") == true)
    }

    @Test func `the transport's own retries are not added`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let transport = ScriptedTransport(Array(repeating: .json("", status: 500), count: 2))
        var settings = RetrySettings()
        settings.count = 3
        let retrying = RetryingTransport(base: transport, settings: { [settings] in settings }, time: time)
        let bench = try CoreBench(retrying, time: time)

        _ = await signIn(bench)

        #expect(transport.messages.count == 2)
        try transport.verify()
    }

    @Test func `the app is asked for headers before each attempt, and reserved ones are dropped`() async throws {
        let asked = Mutex<[URL]>([])
        let transport = ScriptedTransport(.failure(.timedOut), .answer(Lee.error("x"), status: 400))
        let bench = try CoreBench(transport) {
            $0.interceptor = { url in
                let count = asked.withLock {
                    $0.append(url)
                    return $0.count
                }
                return ["X-Try": "\(count)", "X-Client-SKU": "evil", "x-ms-a": "b", "Accept": "text/html"]
            }
        }

        _ = await signIn(bench)

        #expect(transport.messages.map { $0.headers["X-Try"] } == ["1", "2"])
        #expect(asked.withLock { $0 } == transport.messages.map(\.url))
        for message in transport.messages {
            #expect(message.headers["X-Client-SKU"] == nil && message.headers["x-ms-a"] == nil)
            #expect(message.headers["x-client-SKU"] == ClientHeaders.product)
            #expect(message.headers["Accept"] == "application/json")
        }
    }

    @Test func `the service's correlation ID is adopted from every response`() async throws {
        let named = UUID()
        let last = UUID()
        let header = ["client-request-id": named.uuidString]
        let wrong = ["client-request-id": "nonsense"]
        let transport = ScriptedTransport(
            .json(Lee.started.text, headers: header, to: "initiate"),
            .json(Lee.passwordForm.text, headers: wrong, to: "challenge"),
            .json(
                Lee.error("invalid_grant", codes: 50053).text,
                status: 400,
                headers: ["client-request-id": last.uuidString],
                to: "token"
            )
        )
        let bench = try CoreBench(transport)
        let own = UUID()
        var request = NativeAuth.SignInRequest(username: Lee.username, correlationID: own)
        request.password = Secret("secret-password")

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.signIn(request)
        }

        let sent = transport.messages.map { $0.headers["client-request-id"] }
        #expect(sent == [own.uuidString, named.uuidString, named.uuidString])
        #expect(failure?.correlationID == last)
    }

    @Test func `delegates do not get what MSAL for iOS drops`() async throws {
        let answer = Lee.error("invalid_grant", suberror: "odd", codes: 50053, 7)
        let bench = try CoreBench(ScriptedTransport(.answer(answer, status: 400)))
        let state = NativeAuth.SignInCode(continuation: Lee.continuation)

        let failure = await #expect(throws: NativeAuthFailure.self) {
            try await bench.client.submitCode(Secret("1"), in: state)
        }

        #expect(failure?.kind == .general)
        #expect(failure?.forDelegates.errorDescription == "General error")
        #expect(failure?.forDelegates.codes == [])
        #expect(failure?.errorDescription == "AADSTS50053: In the service's words.")
        #expect(failure?.codes == [50053, 7])
        let lost = try #require(failure?.serverError)
        #expect(lost.error == "invalid_grant" && lost.suberror == "odd" && lost.codes == [50053, 7])
        #expect(lost.description == "AADSTS50053: In the service's words.")
        #expect(lost.traceID == "trace-1" && lost.timestamp == "2026-01-01 00:00:00Z" && lost.status == 400)
        guard case .continuation(let kept) = failure?.remaining else {
            Issue.record("The state is lost.")
            return
        }
        #expect(kept == state.continuation)
    }

    @Test func `the error of an unhandled status is reported, but not to delegates`() async throws {
        let bench = try CoreBench(ScriptedTransport(.answer(Lee.error("slow_down", codes: 90), status: 429)))

        let failure = await signIn(bench)

        #expect(failure?.forDelegates.errorDescription == "Unexpected response body received")
        #expect(failure?.forDelegates.codes == [])
        #expect(failure?.errorDescription == "AADSTS90: In the service's words.")
        #expect(failure?.codes == [90])
        #expect(failure?.serverError?.error == "slow_down")
        #expect(failure?.serverError?.status == 429)
    }

    @Test func `attributes that are not JSON are rejected before anything is sent`() {
        #expect(NativeAuth.attributes(["a": Date()]) == nil)
        #expect(NativeAuth.attributes(["a": Double.nan]) == nil)
        #expect(NativeAuth.attributes([:]) == [:])
        #expect(NativeAuth.attributes(["a": 1, "b": ["c"]]) == ["a": .integer(1), "b": .array([.string("c")])])
    }

    @Test(arguments: [-5, 3600, Int.max])
    func `no poll interval makes a user wait for more than a minute`(_ interval: Int) async throws {
        let time = ManualTime(skipsSleeps: true)
        var members = try #require(Lee.submitted.object)
        members["poll_interval"] = .integer(Int64(interval))
        let transport = ScriptedTransport(
            .answer(.object(members), to: "submit"),
            .answer(.object(["status": .string("in_progress")]), to: "poll"),
            .answer(Lee.finished, to: "poll")
        )
        let bench = try CoreBench(transport, time: time)

        let flow = try await bench.client.submitPassword(
            Secret("secret-password"),
            in: NativeAuth.NewPassword(continuation: Lee.continuation)
        )

        #expect(flow.token == Secret("secret-token-6"))
        #expect(time.sleeps == (interval < 0 ? [] : [.seconds(60)]))
    }
}
