// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// States used twice, concurrent flows, applications that are released.
@Suite(.timeLimit(.minutes(1)))
struct SideBySideTests {
    @Test func `a state used twice sends two independent requests`() async throws {
        let transport = ScriptedTransport(
            .answer(Lee.error("invalid_grant", suberror: "invalid_oob_value", codes: 50181), status: 400),
            .answer(Lee.tokens())
        )
        let bench = try CoreBench(transport)
        let state = NativeAuth.SignInCode(continuation: Lee.continuation)

        let ends = await withTaskGroup(of: NativeAuthFailure.Kind?.self) { group in
            for code in ["1", "2"] {
                group.addTask {
                    do throws(NativeAuthFailure) {
                        _ = try await bench.client.submitCode(Secret(code), in: state)
                        return nil
                    } catch {
                        return error.kind
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(ends.count == 2 && ends.contains(nil) && ends.contains(.invalidCode))
        #expect(transport.messages.map { $0.form["continuation_token"] } == ["secret-token", "secret-token"])
        #expect(Set(transport.messages.compactMap { $0.form["oob"] }) == ["1", "2"])
        try transport.verify()
    }

    @Test func `two flows do not mix`() async throws {
        // The service names the user in each token, so that a mixed-up one shows.
        let transport = RespondingTransport { message in
            let user = message.form["username"] ?? String(message.form["continuation_token"]?.prefix(3) ?? "?")
            switch message.url.lastPathComponent {
            case "initiate":
                return (200, .object(["continuation_token": .string("\(user)-1")]))
            case "challenge":
                return (
                    200, .object(["continuation_token": .string("\(user)-2"), "challenge_type": .string("password")])
                )
            default:
                return (400, Lee.error("invalid_grant", codes: 50126))
            }
        }
        let bench = try CoreBench(transport)

        await withTaskGroup(of: Void.self) { group in
            for user in ["lee", "kim", "amy", "bob"] {
                group.addTask {
                    var request = NativeAuth.SignInRequest(username: user)
                    request.password = Secret("password of \(user)")
                    // The outcome does not matter here: the requests are checked below.
                    _ = try? await bench.client.signIn(request)
                }
            }
        }

        let tokens = transport.messages.filter { $0.url.lastPathComponent == "token" }.map(\.form)
        #expect(tokens.count == 4)
        for form in tokens {
            let user = try #require(form["username"])
            #expect(form["continuation_token"] == "\(user)-2")
            #expect(form["password"] == "password of \(user)")
        }
        let flows = Dictionary(grouping: transport.messages) { $0.headers["client-request-id"] }
        #expect(flows.count == 4 && flows.values.allSatisfy { $0.count == 3 })
    }

    @MainActor
    @Test func `an application released during a flow still reports the result, and is then freed`() async throws {
        let time = ManualTime()
        let slow = ScriptedTransport.Response("later") { _ throws(TransportError) in
            do {
                try await time.sleep(for: .seconds(1))
            } catch {
                throw TransportError(.canceled, message: "The calling task was cancelled.")
            }
            return HTTPResponse(status: 400, body: Data(Lee.error("user_not_found", codes: 50034).text.utf8))
        }
        let url = try #require(URL(string: "https://contoso.ciamlogin.com"))
        let config = MSALNativeAuthPublicClientApplicationConfig(
            clientId: Lee.clientID,
            authority: try MSALCIAMAuthority(url: url),
            challengeTypes: [.OOB]
        )
        let nobody = StubAgent { _, _ throws(AgentError) in throw AgentError(.noBrowser, message: "There is none.") }
        var application: MSALNativeAuthPublicClientApplication? = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: config,
            platform: Platform(transport: ScriptedTransport(slow), agent: nobody, time: time),
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: []
        )
        weak let released = application
        let delegate = CaseDelegate(missing: [])
        let waker = Task {
            await time.untilSomebodySleeps()
            time.advance(by: .seconds(1))
        }

        let outcome = await delegate.outcome {
            application?.signIn(parameters: MSALNativeAuthSignInParameters(username: "lee"), delegate: delegate)
            application = nil
        }
        await waker.value

        #expect(outcome.callback == "onSignInStartError")
        #expect((outcome.error as? SignInStartError)?.isUserNotFound == true)
        // The task that reported may still retain it for a moment.
        try await until(released == nil)
    }

    @Test func `canceling while a repeated request waits ends the step`() async throws {
        let time = ManualTime()
        let bench = try CoreBench(ScriptedTransport(.failure(.timedOut)), time: time)

        let task = Task { await Transition.signIn.run(bench.client) }
        await time.untilSomebodySleeps()
        task.cancel()
        let end = await task.value

        #expect(end.isCanceled)
    }

    @Test func `canceling between two polls ends the step`() async throws {
        let time = ManualTime()
        let transport = ScriptedTransport(
            .answer(Lee.submitted, to: "submit"),
            .answer(.object(["status": .string("not_started")]), to: "poll")
        )
        let bench = try CoreBench(transport, time: time)

        let task = Task { await Transition.submitNewPassword.run(bench.client) }
        await time.untilSomebodySleeps()
        task.cancel()
        let end = await task.value

        #expect(end.isCanceled)
        try transport.verify()
    }
}
