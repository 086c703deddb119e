// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// The address that a program gets to open the page, and where it leads. The listener and the programs are real.
@Suite(.timeLimit(.minutes(1)))
struct StartAddressTests {
    private static let page = "https://login.contoso.example/authorize?state=Uw&nonce=n-1&code_challenge=c-1"

    private let http = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
    private let folder: TemporaryDirectory
    /// A browser that records its argument.
    private var browser: String { "\(folder.path)/browser" }
    private var record: String { "\(folder.path)/record" }

    init() async throws {
        folder = try TemporaryDirectory()
        try await folder.writeProgram("browser", script: #"printf %s "$1" > \#(folder.path)/record"#)
        try #require(mkfifo(record, 0o600) == 0)
    }

    private func visit(
        to redirect: AuthorizationVisit.Redirect = .loopback(host: "127.0.0.1", port: nil, path: ""),
        environment: [String: String] = [:],
        command: [String]? = nil,
        purpose: AuthorizationVisit.Purpose = .signIn,
        isAttended: Bool = true,
        inbox: RedirectInbox = RedirectInbox(),
        onOpen: (@Sendable (URL) -> Void)? = nil,
        onLaunch: (@Sendable (Bool) -> Void)? = nil
    ) throws -> Task<AuthorizationReturn, any Error> {
        let page = try #require(URL(string: Self.page))
        var visit = AuthorizationVisit(
            redirect: redirect,
            expectedState: "Uw",
            responseMode: .query,
            purpose: purpose,
            window: BrowserWindow(onOpen: onOpen, onLaunch: onLaunch),
            // The test has to know where the response goes.
            url: { page.appending(queryItems: [URLQueryItem(name: "redirect_uri", value: $0)]) }
        )
        (visit.isAttended, visit.browserCommand) = (isAttended, command)
        let environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let agent = SystemBrowserAgent(environment: environment, inbox: inbox, time: ManualTime())
        // Awaited or canceled by the test that requested it.
        return Task { [visit] in try await agent.authorize(visit) }
    }

    /// The argument with which the browser was started.
    private func argument() async throws -> URL {
        let data = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let file = FileHandle(forReadingAtPath: record)
                // A read failure is reported below.
                continuation.resume(returning: (try? file?.readToEnd()) ?? Data())
            }
        }
        return try #require(URL(string: String(decoding: data, as: UTF8.self)))
    }

    private func get(_ url: URL, method: String = "GET", _ headers: [String: String] = [:]) async throws -> HTTPResponse
    {
        try await http.send(HTTPMessage(method: method, to: try HTTPAddress(url), headers: headers))
    }

    private func redirectURI(in reply: HTTPResponse) throws -> URL {
        let location = try #require(reply[header: "Location"].flatMap { URLComponents(string: $0) })
        #expect(reply[header: "Location"]?.hasPrefix(Self.page) == true)
        return try #require(location.queryItems?.first { $0.name == "redirect_uri" }?.value.flatMap(URL.init))
    }

    @Test func `a program gets an address that contains nothing of the request and leads there once`() async throws {
        let visit = try visit(command: [browser])

        let address = try await argument()
        #expect(address.absoluteString.wholeMatch(of: /http:\/\/localhost:\d+\/start\/[A-Za-z0-9_-]{22}/) != nil)
        #expect(try await get(address, method: "HEAD").status == 405)
        #expect(try await get(address, ["Sec-Purpose": "prefetch;prerender"]).status == 503)
        #expect(try await get(address, ["Purpose": "prefetch"]).status == 503)
        let first = try await get(address)
        #expect(first.status == 302)
        #expect(first[header: "Cache-Control"] == "no-store")
        #expect(first[header: "Referrer-Policy"] == "no-referrer")
        let second = try await get(address)
        #expect(second.status == 410 && second[header: "Location"] == nil)
        #expect(String(decoding: second.body, as: UTF8.self).contains("start it again"))

        let redirect = try redirectURI(in: first).appending(queryItems: [
            URLQueryItem(name: "code", value: "abc"), URLQueryItem(name: "state", value: "Uw"),
        ])
        #expect(try await get(redirect).status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test(arguments: ["127.0.0.1", "[::1]"])
    func `a second fetch by this user is recognized at both addresses of the machine`(_ host: String) async throws {
        let visit = try visit(command: [browser])
        let address = try await argument()
        let url = try #require(URL(string: address.absoluteString.replacing("localhost", with: host)))
        do {
            #expect(try await get(url).status == 302)
        } catch let error as TransportError where error.kind == .cannotConnect && host == "[::1]" {
            visit.cancel()
            return  // A machine without IPv6.
        }

        let second = try await get(url)

        // An unrecognized fetch would end the visit, with another text.
        #expect(String(decoding: second.body, as: UTF8.self).contains("Continue in the tab"))
        visit.cancel()
    }

    @Test func `each sign-in has a different address`() async throws {
        var paths: Set<String> = []
        for _ in 0..<2 {
            let visit = try visit(command: [browser])
            paths.insert(try await argument().path())
            visit.cancel()
            _ = try? await visit.value  // It was canceled.
        }

        #expect(paths.count == 2)
    }

    @Test func `a redirect to the app's own scheme has a start address too, on a separate port`() async throws {
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let visit = try visit(to: .scheme(redirect), environment: ["BROWSER": browser])

        let address = try await argument()
        let elsewhere = try #require(URL(string: "/?code=abc&state=Uw", relativeTo: address))
        #expect(try await get(elsewhere).status == 404)
        #expect(try redirectURI(in: await get(address)) == redirect)
        visit.cancel()
        _ = try? await visit.value  // It was canceled.

        let failure = await #expect(throws: TransportError.self) { try await get(address) }
        // A connection that was opened while the port was closing is reset.
        #expect(failure?.kind == .cannotConnect || failure?.kind == .connectionLost)
    }

    @Test func `after a redirect to the app's own scheme a tab tells the user to return to the app`() async throws {
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let inbox = RedirectInbox()
        let visit = try visit(to: .scheme(redirect), environment: ["BROWSER": browser], inbox: inbox)
        #expect(try await get(try await argument()).status == 302)

        #expect(inbox.deliver(try #require(URL(string: "\(redirect.absoluteString)?code=abc&state=Uw"))))
        let page = try await argument()
        let elsewhere = try #require(URL(string: "/end/x", relativeTo: page))
        #expect(try await get(elsewhere).status == 404)
        let reply = try await get(page)

        #expect(page.path().hasPrefix("/end/") && reply.status == 200)
        #expect(String(decoding: reply.body, as: UTF8.self).contains("Close this tab and return to the app."))
        #expect(try await visit.value.parameters["code"] == "abc")
    }

    @Test func `the launcher that opened the page opens that tab, and the sign-in does not wait for it`() async throws {
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let inbox = RedirectInbox()
        let visit = try visit(to: .scheme(redirect), environment: ["BROWSER": "false:\(browser)"], inbox: inbox)
        #expect(try await get(try await argument()).status == 302)

        #expect(inbox.deliver(try #require(URL(string: "\(redirect.absoluteString)?code=abc&state=Uw"))))

        #expect(try await visit.value.parameters["code"] == "abc")
        #expect(try await get(try await argument()).status == 200)
    }

    @Test func `a portal opens that tab, too`() async throws {
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let portal = FakePortal()
        let bus = try portal.bus()
        let inbox = RedirectInbox()
        let (launched, continuation) = AsyncStream.makeStream(of: Bool.self)
        let visit = try visit(
            to: .scheme(redirect),
            environment: bus.environment,
            inbox: inbox,
            onLaunch: { continuation.yield($0) }
        )
        for await _ in launched { break }

        #expect(inbox.deliver(try #require(URL(string: "\(redirect.absoluteString)?code=abc&state=Uw"))))
        #expect(try await visit.value.parameters["code"] == "abc")
        var requests = portal.arrivals.makeAsyncIterator()
        #expect(await requests.next()?.address.hasPrefix(Self.page) == true)
        let page = try #require(URL(string: await requests.next()?.address ?? ""))

        #expect(page.path().hasPrefix("/end/"))
        #expect(try await get(page).status == 200)
    }

    @Test func `a launcher that fails before anything was fetched is followed by the next`() async throws {
        let visit = try visit(environment: ["BROWSER": "false:no-such-browser:\(browser)"], command: ["false"])

        #expect(try await get(try await argument()).status == 302)

        visit.cancel()
    }

    @Test(arguments: [AuthorizationVisit.Purpose.signIn, .signOut])
    func `a launcher that fails ends a visit whose address was not shown`(_ purpose: AuthorizationVisit.Purpose) async {
        let failure = await #expect(throws: AgentError.self) {
            try await visit(environment: ["BROWSER": "false"], purpose: purpose).value
        }

        #expect(failure?.kind == .noBrowser)
    }

    @Test func `a launcher that fails ends a visit to which no user comes, although the address is shown`() async {
        let failure = await #expect(throws: AgentError.self) {
            try await visit(environment: ["BROWSER": "false"], isAttended: false, onOpen: { _ in }).value
        }

        #expect(failure?.kind == .noBrowser)
    }

    @Test func `an app that shows the address is told that the launcher failed, and the visit goes on`() async throws {
        let (launched, continuation) = AsyncStream.makeStream(of: Bool.self)
        let visit = try visit(environment: ["BROWSER": "false"]) { _ in
        } onLaunch: {
            continuation.yield($0)
        }
        var words: [Bool] = []

        for await hasStarted in launched {
            words.append(hasStarted)
            if words.count == 2 { break }
        }

        #expect(words == [true, false])
        visit.cancel()
        let failure = await #expect(throws: AgentError.self) { try await visit.value }
        #expect(failure?.kind == .canceled)
    }

    @Test func `the app and the portal get the page's own address`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        let shown = Mutex<URL?>(nil)
        let (launched, continuation) = AsyncStream.makeStream(of: Bool.self)
        let visit = try visit(environment: bus.environment) { url in
            shown.withLock { $0 = url }
        } onLaunch: {
            continuation.yield($0)
        }

        for await hasStarted in launched {
            #expect(hasStarted)
            break
        }
        let address = try #require(shown.withLock { $0 }).absoluteString

        #expect(address.hasPrefix(Self.page))
        #expect(portal.requests.map(\.address) == [address])
        visit.cancel()
    }

    @Test(.enabled(if: geteuid() == 0, "Only root may be another user."))
    func `another user of the machine is rejected, and uses up nothing`() async throws {
        let visit = try visit(command: [browser])
        let address = try await argument()
        // The shell's own sockets, so that no HTTP client has to be installed.
        let script = """
            for path in \(address.path()) '/?code=evil&state=Uw'; do
                exec 3<>/dev/tcp/127.0.0.1/\(try #require(address.port))
                printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' "$path" >&3
                head -n 1 <&3
                exec 3<&-
            done
            """
        let (reader, writer) = (Pipe(), FileHandle.nullDevice.fileDescriptor)
        let child = try ChildProcess(
            "/usr/bin/setpriv",
            arguments: ["--reuid", "65534", "--clear-groups", "bash", "-c", script],
            environment: ["PATH": "/usr/bin:/bin"],
            streams: .init(input: writer, output: reader.fileHandleForWriting.fileDescriptor, errors: writer)
        )
        try #require(await child.end() == 0)
        try reader.fileHandleForWriting.close()
        let lines = String(decoding: try reader.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(lines.split(whereSeparator: \.isNewline) == ["HTTP/1.1 403 Forbidden", "HTTP/1.1 403 Forbidden"])

        let first = try await get(address)
        #expect(first.status == 302)
        let redirect = try redirectURI(in: first).appending(queryItems: [
            URLQueryItem(name: "code", value: "abc"), URLQueryItem(name: "state", value: "Uw"),
        ])
        #expect(try await get(redirect).status == 200)
        #expect(try await visit.value.parameters["code"] == "abc")
    }
}
