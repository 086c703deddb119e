// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// The real listener, driven over real sockets. The test acts as the browser.
struct SystemBrowserAgentTests {
    let time = ManualTime()
    let http = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))

    /// Starts a visit and returns it with the base URL of its receiver once the receiver listens.
    func start(
        mode: ResponseMode = .formPost,
        host: String = "127.0.0.1",
        port: Int? = nil
    ) async throws -> (visit: Task<AuthorizationReturn, any Error>, base: String) {
        let (bases, continuation) = AsyncStream.makeStream(of: String.self)
        let visit = AuthorizationVisit(
            redirect: .loopback(host: host, port: port, path: ""),
            expectedState: "Uw",
            responseMode: mode,
            window: BrowserWindow(onOpen: { _ in }),
            url: { redirectURI in
                continuation.yield(redirectURI)
                return URL(filePath: "/sign-in")
            }
        )
        let agent = SystemBrowserAgent(environment: [:], inbox: RedirectInbox(), time: time)
        let task = Task<AuthorizationReturn, any Error> {  // Awaited by the test that requested it.
            defer { continuation.finish() }
            return try await agent.authorize(visit)
        }
        var iterator = bases.makeAsyncIterator()
        guard let base = await iterator.next() else {
            _ = try await task.value
            throw AgentError(.listenerFailed, message: "The visit ended before it started.")
        }
        return (task, base)
    }

    func post(_ form: String, to base: String) async throws -> HTTPResponse {
        let url = try #require(URL(string: base + "/"))
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await http.send(
            HTTPMessage(method: "POST", to: try HTTPAddress(url), headers: type, body: Data(form.utf8))
        )
    }

    func get(_ path: String, from base: String) async throws -> HTTPResponse {
        let url = try #require(URL(string: base + path))
        return try await http.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
    }

    @Test func `a canceled sign-in shows no address`() async throws {
        let visit = AuthorizationVisit(
            redirect: .loopback(host: "127.0.0.1", port: nil, path: ""),
            expectedState: "Uw",
            responseMode: .formPost,
            window: BrowserWindow(onOpen: { _ in Issue.record("The address was shown.") }),
            url: { _ in URL(filePath: "/sign-in") }
        )
        let agent = SystemBrowserAgent(environment: [:], inbox: RedirectInbox(), time: time)

        let kind = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(AgentError) {
                _ = try await agent.authorize(visit)
                return AgentError.Kind?.none
            } catch {
                return error.kind
            }
        }.value

        #expect(kind == .canceled)
    }

    @Test func `a form post ends the visit with its parameters`() async throws {
        let (visit, base) = try await start()

        let page = try await post("code=abc&state=Uw", to: base)
        let answer = try await visit.value

        #expect(page.status == 200)
        #expect(page[header: "Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(page[header: "Cache-Control"] == "no-store")
        #expect(page[header: "Referrer-Policy"] == "no-referrer")
        #expect(answer.parameters == ["code": "abc", "state": "Uw"])
        #expect(answer.redirectURI == base)
        #expect(!"\(answer)".contains("abc"))
    }

    @Test func `a query ends the visit if the request asked for one`() async throws {
        let (visit, base) = try await start(mode: .query)

        let page = try await get("/?code=abc&state=Uw", from: base)

        #expect(page.status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `other requests leave the visit waiting`() async throws {
        let (visit, base) = try await start()

        #expect(try await get("/favicon.ico", from: base).status == 404)
        #expect(try await post("code=evil&state=no", to: base).status == 400)
        #expect(try await post(String(repeating: "a", count: 70_000), to: base).status == 413)
        #expect(try await post("code=abc&state=Uw", to: base).status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `an error of the server is shown escaped`() async throws {
        let (visit, base) = try await start()

        let page = try await post("error=access_denied&error_description=%3Cscript%3E&state=Uw", to: base)

        #expect(!String(decoding: page.body, as: UTF8.self).contains("<script>"))
        #expect(String(decoding: page.body, as: UTF8.self).contains("&lt;script&gt;"))
        #expect(try await visit.value.parameters["error"] == "access_denied")
    }

    @Test func `a code in the address fails the visit`() async throws {
        let (visit, base) = try await start()

        let page = try await get("/?code=abc&state=Uw", from: base)

        #expect(page.status == 400)
        #expect(await kind(of: visit) == .invalidResponse)
    }

    @Test func `any number of wrong states get a response and never end the visit`() async throws {
        let (visit, base) = try await start()

        for _ in 0..<30 { #expect(try await post("code=evil&state=no", to: base).status == 400) }
        #expect(try await post("code=abc&state=Uw", to: base).status == 200)

        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `an unsolicited page cannot end the visit`() async throws {
        let (visit, base) = try await start()

        for reply in [try await get("/", from: base), try await get("/x", from: base), try await post("a=b", to: base)]
        {
            let page = String(decoding: reply.body, as: UTF8.self)
            #expect(!page.contains("href") && !page.contains("<form") && !page.contains("cancel"))
        }
        #expect(try await get("/cancel", from: base).status == 404)

        #expect(try await post("code=abc&state=Uw", to: base).status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `the visit ends at its time limit`() async throws {
        let (visit, _) = try await start()

        await time.untilSomebodySleeps()
        time.advance(by: .seconds(300))

        let failure = await #expect(throws: AgentError.self) { try await visit.value }
        #expect(failure?.kind == .timedOut)
        #expect(failure?.message.contains("within 5 minutes.") == true)
    }

    @Test func `canceling the task ends the visit`() async throws {
        let (visit, _) = try await start()

        visit.cancel()

        #expect(await kind(of: visit) == .canceled)
    }

    @Test func `a port in use is reported if the redirect names it`() async throws {
        let (first, base) = try await start()
        let port = try #require(URL(string: base)?.port)

        let failure = await #expect(throws: AgentError.self) { try await start(port: port) }

        #expect(failure?.kind == .portInUse(port))
        first.cancel()
    }

    // Linux has all of 127.0.0.0/8, so a listener on every address would respond at this one, too.
    @Test func `only the two loopback names of this machine lead to the receiver`() async throws {
        let (visit, base) = try await start()
        let elsewhere = base.replacing("127.0.0.1", with: "127.0.0.2")

        let failure = await #expect(throws: TransportError.self) {
            try await post("code=abc&state=Uw", to: elsewhere)
        }

        #expect(base != elsewhere)
        #expect(failure?.kind == .cannotConnect)
        visit.cancel()
    }

    @Test func `the port is closed after the visit`() async throws {
        let (visit, base) = try await start()
        _ = try await post("code=abc&state=Uw", to: base)
        _ = try await visit.value

        let failure = await #expect(throws: TransportError.self) { try await get("/", from: base) }

        #expect(failure?.kind == .cannotConnect)
    }

    @Test func `a redirect to the app's scheme ends the visit to which it belongs`() async throws {
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let inbox = RedirectInbox()
        let (opened, continuation) = AsyncStream.makeStream(of: String.self)
        let visit = AuthorizationVisit(
            redirect: .scheme(redirect),
            expectedState: "Uw",
            window: BrowserWindow(onOpen: { _ in })
        ) {
            continuation.yield($0)
            return redirect
        }
        let agent = SystemBrowserAgent(environment: [:], inbox: inbox, time: time)
        async let answer = agent.authorize(visit)
        for await _ in opened { break }

        let foreign = try #require(URL(string: "other://auth?code=1&state=Uw"))
        for query in ["?code=evil&state=no", "?code=evil", "?error=access_denied", ""] {
            #expect(!inbox.deliver(try #require(URL(string: "msauth.com.contoso.app://auth\(query)"))))
        }
        let ours = try #require(URL(string: "MSAUTH.com.contoso.app://auth/?code=abc&state=Uw"))
        #expect(!inbox.deliver(foreign))
        #expect(inbox.deliver(ours))

        #expect(try await answer.parameters["code"] == "abc")
        #expect(!inbox.deliver(ours))
    }

    @Test func `without a browser and without a callback for the address the visit fails`() async throws {
        let visit = AuthorizationVisit(redirect: .loopback(host: "localhost", port: nil, path: ""), expectedState: "Uw")
        {
            _ in URL(filePath: "/sign-in")
        }
        let agent = SystemBrowserAgent(environment: [:], time: time)

        let failure = await #expect(throws: AgentError.self) { try await agent.authorize(visit) }

        #expect(failure?.kind == .noBrowser)
    }

    private func kind(of visit: Task<AuthorizationReturn, any Error>) async -> AgentError.Kind? {
        do {
            _ = try await visit.value
            return nil
        } catch {
            return (error as? AgentError)?.kind
        }
    }
}
