// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// Damaged requests to the port that receives the redirect, over a real socket. `MSAL_FUZZ_ROUNDS` and
/// `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``).
struct RedirectFuzzTests {
    private static let state = "c3RhdGUtb2YtdGhlLXZpc2l0"
    private static let token = "dG9rZW4tb2YtdGhlLXZpc2l0"
    private static let page = "https://login.contoso.example/authorize"

    /// A listener and the events that it reported.
    private struct Visit {
        let mode: ResponseMode
        let session: LoopbackSession
        let listener: LoopbackListener

        init(_ mode: ResponseMode) async throws {
            self.mode = mode
            let page = try #require(URL(string: RedirectFuzzTests.page))
            let visit = AuthorizationVisit(
                redirect: .loopback(host: "localhost", port: nil, path: ""),
                expectedState: state,
                responseMode: mode
            ) { _ in page }
            session = LoopbackSession(visit: visit, startToken: token)
            listener = try await LoopbackListener.open(port: nil, host: "localhost", session: session)
            _ = session.startAddress(for: page, port: listener.port)
        }

        /// How the visit ended, or `nil` while it waits.
        func end() async -> VisitEnd? {
            // A wait of zero returns the current end, or a timeout.
            do throws(AgentError) {
                return .success(try await session.outcome.value(within: .zero, time: SystemTime()))
            } catch {
                return error.kind == .timedOut ? nil : .failure(error)
            }
        }
    }

    @Test(arguments: [ResponseMode.formPost, .query])
    func `a damaged request ends a visit only with its state, and leads to the page only with its token`(
        _ mode: ResponseMode
    ) async throws {
        var fuzz = Fuzz(corpus: Self.corpus, words: Self.words)
        var (responses, ends, starts) = (0, 0, 0)
        var visit = try await Visit(mode)
        // Each round opens a connection, so there are fewer rounds than elsewhere.
        try await fuzz.run(rounds: Fuzz.rounds / 3) { input in
            let connection = try RawConnection(port: visit.listener.port)
            connection.send(input)
            let response = await connection.finish()
            connection.close()

            let text = String(decoding: try #require(response, "No response and no end: \(input)"), as: UTF8.self)
            let hasResponse = text.hasPrefix("HTTP/1.1 ")
            #expect(hasResponse || text.isEmpty, "\(input)")
            responses += hasResponse ? 1 : 0
            if text.contains(Self.page) {
                starts += 1
                #expect(String(decoding: input, as: UTF8.self).contains(Self.token), "\(input)")
            }
            let isEnd = text.hasPrefix("HTTP/1.1 200") || text.contains("although a form post was asked for")
            if isEnd || visit.session.isStarted {
                ends += isEnd ? 1 : 0
                await visit.listener.close()
                if let end = await visit.end() { #expect(Self.mayEnd(end, input), "\(input)") }
                visit = try await Visit(mode)
            }
        }
        await visit.listener.close()
        if let end = await visit.end() { Issue.record("The visit ended without a response: \(end)") }
        #expect(responses > Fuzz.rounds / 10, "The mutations left too few valid requests.")
        #expect(
            ends > 0 && starts > 0,
            "Too few requests were accepted: \(ends), \(starts)."
        )
    }

    /// Whether the input may cause this end of a visit.
    private static func mayEnd(_ end: VisitEnd, _ input: [UInt8]) -> Bool {
        switch end {
        case .success(let parameters): parameters["state"] == state && mayHoldState(input)
        case .failure(let error): error.kind == .invalidResponse && mayHoldState(input)
        }
    }

    /// Whether the state is in the input, perhaps with percent-encoded letters or split between two chunks.
    private static func mayHoldState(_ input: [UInt8]) -> Bool {
        let text = String(decoding: input, as: UTF8.self)
        return text.contains(state) || text.contains("%") || text.contains("chunked")
    }

    private static let words = [
        "\r\n", "\r\n\r\n", "Host: localhost\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\n", "Sec-Purpose: prefetch\r\n", "GET ", "POST ", "HEAD ", "/start/", "&state=",
        "?code=",
        "HTTP/1.1", "HTTP/1.0", "%", state, token,
    ]

    private static var corpus: [[UInt8]] {
        let form = "code=0.A%2B&session_state=x&state=\(state)"
        func post(_ body: String, _ headers: String) -> String {
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\(headers)\r\n\(body)"
        }
        return [
            post(form, "Content-Length: \(form.utf8.count)\r\n"),
            post("\(String(form.utf8.count, radix: 16))\r\n\(form)\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n"),
            "GET /?\(form) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n",
            "GET /?error=access_denied&state=\(state) HTTP/1.1\r\nHost: [::1]\r\n\r\n",
            "GET /start/\(token) HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: Mozilla/5.0\r\n\r\n",
            "HEAD /start/\(token) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\nGET /?\(form) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ].map { Array($0.utf8) }
    }
}
