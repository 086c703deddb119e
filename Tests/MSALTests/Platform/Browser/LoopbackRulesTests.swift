// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import Testing

@testable import MSAL

struct LoopbackRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "POST"
        var target = "/"
        var host: String? = "localhost:5000"
        var contentType: String? = "application/x-www-form-urlencoded"
        var body = ""
        var mode = ResponseMode.formPost
        var isPrefetch = false
        var path: String? = ""
        var verdict: LoopbackRules.Verdict

        var testDescription: String { name }
    }

    static let response = ["code": "abc", "state": "Uw"]

    @Test(arguments: [
        Case(name: "a form post with our state", body: "code=abc&state=Uw", verdict: .accept(response)),
        Case(
            name: "the address 127.0.0.1",
            host: "127.0.0.1:5000",
            body: "code=abc&state=Uw",
            verdict: .accept(response)
        ),
        Case(name: "the address [::1]", host: "[::1]", body: "code=abc&state=Uw", verdict: .accept(response)),
        Case(
            name: "a charset after the type",
            contentType: "application/x-www-form-urlencoded; charset=utf-8",
            body: "code=abc&state=Uw",
            verdict: .accept(response)
        ),
        Case(name: "a path", target: "/x", body: "code=abc&state=Uw", path: "/x", verdict: .accept(response)),
        Case(name: "another path", target: "/y", body: "code=abc&state=Uw", path: "/x", verdict: .respond(status: 404)),
        Case(name: "an icon", method: "GET", target: "/favicon.ico", verdict: .respond(status: 404)),
        Case(name: "another host", host: "evil.example:80", body: "code=abc&state=Uw", verdict: .respond(status: 400)),
        Case(name: "another port", host: "localhost:80", body: "code=abc&state=Uw", verdict: .respond(status: 400)),
        Case(
            name: "a host that begins like ours",
            host: "localhost.evil.example:5000",
            body: "code=abc&state=Uw",
            verdict: .respond(status: 400)
        ),
        Case(name: "no host", host: nil, body: "code=abc&state=Uw", verdict: .respond(status: 400)),
        Case(name: "a wrong state", body: "code=abc&state=V1JPTkc", verdict: .respond(status: 400)),
        Case(name: "no state", body: "code=abc", verdict: .respond(status: 400)),
        Case(name: "an empty state", body: "code=abc&state=", verdict: .respond(status: 400)),
        Case(name: "the beginning of our state", body: "code=abc&state=U", verdict: .respond(status: 400)),
        Case(name: "our state and more", body: "code=abc&state=Uwx", verdict: .respond(status: 400)),
        Case(
            name: "a wrong state beside an error",
            body: "error=access_denied&state=V1JPTkc",
            verdict: .respond(status: 400)
        ),
        Case(name: "JSON", contentType: "application/json", body: "{}", verdict: .respond(status: 415)),
        Case(name: "a huge form", body: String(repeating: "a", count: 65_537), verdict: .respond(status: 413)),
        Case(name: "another method", method: "PUT", verdict: .respond(status: 405, allowed: "POST")),
        Case(
            name: "a code in the address",
            method: "GET",
            target: "/?code=abc&state=Uw",
            verdict: .fail(.invalidResponse, status: 400)
        ),
        Case(
            name: "a code in the address with a wrong state",
            method: "GET",
            target: "/?code=abc&state=no",
            verdict: .respond(status: 400)
        ),
        Case(name: "a query", method: "GET", target: "/?code=abc&state=Uw", mode: .query, verdict: .accept(response)),
        Case(
            name: "a wrong state in a query",
            method: "GET",
            target: "/?code=abc&state=no",
            mode: .query,
            verdict: .respond(status: 400)
        ),
        Case(
            name: "no state in a query",
            method: "GET",
            target: "/?code=abc",
            mode: .query,
            verdict: .respond(status: 400)
        ),
        Case(
            name: "a form in query mode",
            body: "code=abc&state=Uw",
            mode: .query,
            verdict: .respond(status: 405, allowed: "GET")
        ),
        Case(name: "an empty query", method: "GET", mode: .query, verdict: .respond(status: 400)),
        Case(name: "the start address", method: "GET", target: "/start/T0", verdict: .start),
        Case(name: "the start address with more", method: "GET", target: "/start/T0?a=b", verdict: .start),
        Case(
            name: "the start address in query mode",
            method: "GET",
            target: "/start/T0",
            mode: .query,
            verdict: .start
        ),
        Case(
            name: "the head of the start address",
            method: "HEAD",
            target: "/start/T0",
            verdict: .respond(status: 405, allowed: "GET")
        ),
        Case(name: "a posted start address", target: "/start/T0", verdict: .respond(status: 405, allowed: "GET")),
        Case(
            name: "a start address that is fetched ahead",
            method: "GET",
            target: "/start/T0",
            isPrefetch: true,
            verdict: .respond(status: 503)
        ),
        Case(name: "a guessed start address", method: "GET", target: "/start/T1", verdict: .respond(status: 404)),
        Case(name: "no token", method: "GET", target: "/start/", verdict: .respond(status: 404)),
        Case(
            name: "the start address at another host",
            method: "GET",
            target: "/start/T0",
            host: "evil.example:5000",
            verdict: .respond(status: 400)
        ),
        Case(
            name: "a redirect that does not come here",
            body: "code=abc&state=Uw",
            path: nil,
            verdict: .respond(status: 404)
        ),
        Case(
            name: "an error of the server",
            body: "error=access_denied&error_description=%3Cb%3E+x&state=Uw",
            verdict: .accept(["error": "access_denied", "error_description": "<b> x", "state": "Uw"])
        ),
    ])
    func `a request is judged by host, path, method, state and content`(_ sample: Case) {
        let request = LoopbackRules.Request(
            method: sample.method,
            target: sample.target,
            host: sample.host,
            contentType: sample.contentType,
            isPrefetch: sample.isPrefetch,
            body: Data(sample.body.utf8)
        )
        let rules = LoopbackRules(
            startPath: "/start/T0",
            redirectPath: sample.path,
            expectedState: "Uw",
            responseMode: sample.mode
        )

        let verdict = rules.verdict(request, port: 5000)

        #expect(verdict == sample.verdict)
    }

    @Test func `the first of repeated parameters is used`() {
        #expect(RedirectParameters.parse("code=1&code=2&x=%zz+%41") == ["code": "1", "x": "%zz A"])
    }

    @Test func `parameters in the query of a redirect override those in its fragment`() throws {
        let url = try #require(URL(string: "app://auth?code=q#code=f&state=s"))

        #expect(RedirectParameters.parse(url) == ["code": "q", "state": "s"])
    }
}
