// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// The prompt for an address, together with the real listener.
@Suite(.timeLimit(.minutes(1)))
struct PasteVisitTests {
    private let time = ManualTime()

    private func authorize(
        to redirect: AuthorizationVisit.Redirect = .loopback(host: "127.0.0.1", port: nil, path: ""),
        environment: [String: String] = [:],
        nextMode: SignInMode? = nil,
        ask: @escaping @Sendable (PastePrompt) async -> PasteResult
    ) async throws(AgentError) -> AuthorizationReturn {
        var visit = AuthorizationVisit(
            redirect: redirect,
            expectedState: "Uw",
            responseMode: .query,
            window: BrowserWindow(onOpen: { _ in Issue.record("A browser was opened.") }),
            url: { _ in URL(filePath: "/sign-in") }
        )
        visit.paste = PasteRequest(nextMode: nextMode, ask: ask)
        let agent = SystemBrowserAgent(environment: environment, inbox: RedirectInbox(), time: time)
        return try await agent.authorize(visit)
    }

    /// Like an app whose prompt does not notice the end of the visit. It must not delay the sign-in.
    private static func noticeNothing() async {
        // A separate task, so that no cancellation reaches it.
        await Task { try? await ManualTime().sleep(for: .seconds(1)) }.value
    }

    @Test func `a pasted address ends the visit, and other text is rejected and prompted for again`() async throws {
        let prompts = Mutex<[PastePrompt]>([])

        let returned = try await authorize(environment: ["SSH_CONNECTION": "198.51.100.7 5 203.0.113.5 22"]) { prompt in
            let count = prompts.withLock {
                $0.append(prompt)
                return $0.count
            }
            return .text(count == 1 ? "nonsense" : "\(prompt.redirectURI)/?code=abc&state=Uw")
        }

        #expect(returned.parameters["code"] == "abc")
        let (first, second) = try #require(prompts.withLock { $0.count == 2 ? ($0[0], $0[1]) : nil })
        #expect(first.refusal == nil && second.refusal == .notAnAddress)
        let port = try #require(first.port)
        #expect(first.redirectURI == "http://127.0.0.1:\(port)" && returned.redirectURI == first.redirectURI)
        #expect(first.forwardingCommand == "ssh -N -L \(port):localhost:\(port) 203.0.113.5")
    }

    @Test func `a forwarded port ends the visit while the prompt waits`() async throws {
        let http = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
        let (prompts, continuation) = AsyncStream.makeStream(of: PastePrompt.self)
        let visit = Task {
            try await authorize { prompt in
                continuation.yield(prompt)
                await Self.noticeNothing()
                return .cancel
            }
        }
        var iterator = prompts.makeAsyncIterator()
        let prompt = try #require(await iterator.next())
        let url = try #require(URL(string: "\(prompt.redirectURI)/?code=abc&state=Uw"))

        // Not from the prompt, whose task ends with the visit.
        let page = try await http.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))

        #expect(page.status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `a port in use does not prevent pasting an address`() async throws {
        let holder = try LoopbackPort()
        defer { close(holder.descriptor) }
        let redirect = "http://localhost:\(holder.number)"

        let returned = try await authorize(
            to: .loopback(host: "localhost", port: holder.number, path: ""),
            environment: ["SSH_CONNECTION": "198.51.100.7 5 203.0.113.5 22"]
        ) { prompt in
            #expect(prompt.redirectURI == redirect && prompt.port == nil && prompt.forwardingCommand == nil)
            return .text("\(redirect)/?code=abc&state=Uw")
        }

        #expect(returned.parameters["code"] == "abc" && returned.redirectURI == redirect)
    }

    @Test func `an https redirect is pasted without a port and without a socket`() async throws {
        let redirect = try #require(URL(string: "https://contoso.example/app"))
        let folder = try TemporaryDirectory()

        let returned = try await authorize(
            to: .scheme(redirect),
            environment: ["XDG_RUNTIME_DIR": folder.path]
        ) { [folder] prompt in
            #expect(prompt.port == nil && prompt.forwardingCommand == nil)
            #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [])
            return .text("https://contoso.example/app?code=abc&state=Uw")
        }

        #expect(returned.parameters["code"] == "abc")
    }

    @Test(arguments: [
        (PasteResult.cancel, SignInMode?.some(.deviceCode), AgentError.Kind.canceled),
        (.nextMode, .deviceCode, .declined), (.nextMode, nil, .canceled), (.text("nonsense"), nil, .invalidResponse),
    ])
    func `a user ends the visit, continues with the next sign-in mode, or pastes invalid text twenty times`(
        result: PasteResult,
        nextMode: SignInMode?,
        kind: AgentError.Kind
    ) async {
        let failure = await #expect(throws: AgentError.self) { try await authorize(nextMode: nextMode) { _ in result } }

        #expect(failure?.kind == kind)
    }

    @Test func `the time limit of the visit is the limit of the prompt`() async {
        let visit = Task {
            try await authorize { _ in
                await Self.noticeNothing()
                return .cancel
            }
        }
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(300))

        let failure = await #expect(throws: AgentError.self) { try await visit.value }
        #expect(failure?.kind == .timedOut)
    }

    @Test func `a result is printed without the pasted text`() {
        #expect(!"\(PasteResult.text("secret"))".contains("secret"))
    }
}
