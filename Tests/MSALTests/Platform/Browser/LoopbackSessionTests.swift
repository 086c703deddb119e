// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import Testing

@testable import MSAL
@testable import MSALBase

/// The owner of a connection, and its effect.
struct LoopbackSessionTests {
    private static let address = "https://login.contoso.example/authorize?state=Uw"
    private let session: LoopbackSession

    init() throws {
        session = try Self.session()
    }

    private static func session(listeningOn address: String? = nil) throws -> LoopbackSession {
        let page = try #require(URL(string: Self.address))
        var visit = AuthorizationVisit(
            redirect: .loopback(host: "localhost", port: nil, path: ""),
            expectedState: "Uw"
        ) { _ in page }
        visit.listenAddress = address.flatMap(ListenAddress.init)
        let session = LoopbackSession(visit: visit, startToken: "T0", landingToken: "T1")
        let start = try #require(session.startAddress(for: page, port: 5000))
        #expect(start.absoluteString == "http://localhost:5000/start/T0")
        return session
    }

    private func start(
        _ owner: ConnectionOwner,
        method: String = "GET",
        isPrefetch: Bool = false
    ) -> LoopbackSession.Response {
        let request = LoopbackRules.Request(
            method: method,
            target: "/start/T0",
            host: "localhost:5000",
            isPrefetch: isPrefetch
        )
        return session.response(to: request, port: 5000) { owner }
    }

    private func redirect(_ owner: ConnectionOwner) -> LoopbackSession.Response {
        let request = LoopbackRules.Request(
            method: "POST",
            target: "/",
            host: "localhost:5000",
            contentType: "application/x-www-form-urlencoded",
            body: Data("code=abc&state=Uw".utf8)
        )
        return session.response(to: request, port: 5000) { owner }
    }

    private func landing(_ owner: ConnectionOwner, method: String = "GET") -> LoopbackSession.Response {
        let request = LoopbackRules.Request(method: method, target: "/end/T1", host: "localhost:5000")
        return session.response(to: request, port: 5000) { owner }
    }

    @Test func `the landing page is available once the visit ended, and for this user only`() throws {
        #expect(landing(.own).page.status == 404)
        let address = session.landingAddress(for: ["error": "e", "error_description": "secret"], port: 5000)
        #expect(address?.absoluteString == "http://localhost:5000/end/T1")

        for (response, status) in [
            (landing(.another), 403), (landing(.gone), 404), (landing(.own, method: "HEAD"), 405),
        ] {
            #expect(response.page.status == status && !response.isLanding && !response.page.html.contains("secret"))
        }
        let page = landing(.own)
        #expect(page.page.status == 200 && page.isLanding && page.page.html.contains("secret"))
    }

    private func location(_ response: LoopbackSession.Response) -> String? {
        response.page.headers.first { $0.0 == "Location" }?.1
    }

    @Test(arguments: [ConnectionOwner.own, .unknown])
    func `the first fetch leads to the page, and reveals nothing on the way`(_ owner: ConnectionOwner) {
        let response = start(owner)

        let headers = Dictionary(response.page.headers) { $1 }
        #expect(response.page.status == 302 && response.end == nil)
        #expect(headers["Location"] == Self.address)
        #expect(headers["Cache-Control"] == "no-store")
        #expect(headers["Referrer-Policy"] == "no-referrer")
        #expect(!response.page.html.contains("login.contoso.example"))
        #expect(session.isStarted)
    }

    @Test func `a second fetch by this user shows what to do, and the visit continues`() {
        _ = start(.unknown)
        let second = start(.own)

        #expect(second.page.status == 410 && second.end == nil)
        #expect(second.page.html.contains("start it again"))
        #expect(location(second) == nil)
        #expect(redirect(.own).page.status == 200)
    }

    @Test func `a second fetch that may be an attacker's ends the visit`() throws {
        _ = start(.own)
        let second = start(.unknown)

        let failure = #expect(throws: AgentError.self) { try second.end?.get() }
        #expect(failure?.kind == .startedTwice)
        #expect(failure?.message.contains("Start again") == true)
        #expect(location(second) == nil)
        #expect(redirect(.own).end == nil, "The visit ended twice.")
    }

    @Test func `another user is always rejected, and uses up nothing`() {
        for response in [start(.another), redirect(.another), start(.another)] {
            #expect(response.page.status == 403 && response.end == nil)
            #expect(location(response) == nil)
        }
        #expect(!session.isStarted)
        #expect(start(.own).page.status == 302)
        #expect(start(.another).end == nil)
        #expect(redirect(.own).page.status == 200)
    }

    @Test func `another user is logged once`() throws {
        let lines = Mutex<[String]>([])
        let session = try Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            try Self.session()
        }
        let request = LoopbackRules.Request(method: "GET", target: "/start/T0", host: "localhost")

        for _ in 0..<3 { _ = session.response(to: request, port: 5000) { .another } }

        #expect(lines.withLock { $0 }.count { $0.contains("Another user") } == 1)
        #expect(!lines.withLock { $0 }.joined().contains("T0"))
    }

    /// `listenAddress` admits anyone who can reach the port, and the peer's user is unknown.
    @Test(arguments: [nil, "0.0.0.0"])
    func `an unknown peer is logged once, if the app listens on another address`(
        _ address: String?
    ) throws {
        let lines = Mutex<[String]>([])
        let session = try Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            try Self.session(listeningOn: address)
        }
        let start = LoopbackRules.Request(method: "GET", target: "/start/T0", host: "localhost")
        let redirect = LoopbackRules.Request(
            method: "POST",
            target: "/",
            host: "localhost",
            contentType: "application/x-www-form-urlencoded",
            body: Data("code=abc&state=Uw".utf8)
        )

        #expect(session.response(to: start, port: 5000) { .unknown }.page.status == 302)
        #expect(session.response(to: redirect, port: 5000) { .unknown }.page.status == 200)

        #expect(lines.withLock { $0 }.count { $0.contains("from another machine") } == (address == nil ? 0 : 1))
        #expect(!lines.withLock { $0 }.joined().contains("abc"))
    }

    @Test func `a peer that belongs to this user is not logged on any address`() throws {
        let lines = Mutex<[String]>([])
        let session = try Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            try Self.session(listeningOn: "0.0.0.0")
        }

        _ = session.response(to: .init(method: "GET", target: "/start/T0", host: "localhost"), port: 5000) { .own }

        #expect(lines.withLock { $0 }.isEmpty)
    }

    @Test func `a connection whose client is gone uses up nothing`() {
        let response = start(.gone)

        #expect(location(response) == nil && !session.isStarted)
        #expect(start(.own).page.status == 302)
        #expect(start(.gone).end == nil)
    }

    @Test func `a redirect whose sender is gone is ignored, and the browser's next attempt counts`() throws {
        let response = redirect(.gone)

        #expect(response.page.status == 404)
        #expect(response.end == nil)
        #expect(try redirect(.own).end?.get() == ["code": "abc", "state": "Uw"])
    }

    @Test func `neither HEAD nor a prefetch uses up the address`() {
        #expect(start(.own, method: "HEAD").page.status == 405)
        #expect(start(.own, isPrefetch: true).page.status == 503)
        #expect(!session.isStarted)
        #expect(start(.own).page.status == 302)
        #expect(start(.unknown, method: "HEAD").end == nil)
        #expect(start(.unknown, isPrefetch: true).end == nil)
    }

    @Test func `the owner of a connection is looked up only for requests that matter`() {
        let wrong = LoopbackRules.Request(method: "GET", target: "/", host: "localhost")

        let response = session.response(to: wrong, port: 5000) {
            Issue.record("The kernel was queried needlessly.")
            return .unknown
        }

        #expect(response.page.status == 405)
    }
}
