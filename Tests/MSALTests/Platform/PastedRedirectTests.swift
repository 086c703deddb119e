// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL

/// What a user may paste.
struct PastedRedirectTests {
    private static let good = "http://localhost:8400/?code=abc&state=StateOfThis&session_state=s"
    private let judge: PastedRedirect

    init() throws {
        judge = PastedRedirect(
            redirectURI: try #require(URL(string: "http://localhost:8400")),
            page: try #require(URL(string: "https://login.contoso.example/common/authorize?state=StateOfThis")),
            expectedState: "StateOfThis"
        )
    }

    @Test(arguments: [
        good, "  \(good)\r\n", "\"\(good)\"", "<\(good)>", "\u{1B}[200~\(good)\u{1B}[201~",
        good.replacing("localhost:8400/", with: "LOCALHOST:8400"), good + "#code=evil&state=StateOfAnother",
    ])
    func `the final address of the browser is accepted, with surrounding text`(_ text: String) throws {
        #expect(try judge.parameters(in: text)["code"] == "abc")
    }

    @Test func `an error of the service is accepted, too`() throws {
        let text = "http://localhost:8400/?error=access_denied&state=StateOfThis"

        #expect(try judge.parameters(in: text)["error"] == "access_denied")
    }

    @Test(arguments: [
        ("", PastedRedirect.Refusal.empty), (" \n", .empty), ("abc", .notAnAddress),
        ("code=abc&state=x", .notAnAddress),
        ("http://localhost:8400/?code=a b&state=StateOfThis", .notAnAddress),
        ("http://localhost:8400/?code=a\u{7}bc&state=StateOfThis", .controlCharacters),
        ("http://localhost:8400/?code=a\nbc&state=StateOfThis", .controlCharacters),
        ("https://login.contoso.example/common/authorize?state=StateOfThis", .startAddress),
        ("https://login.contoso.example/common/other?code=abc&state=StateOfThis", .anotherAddress),
        ("http://localhost:8401/?code=abc&state=StateOfThis", .anotherAddress),
        ("http://localhost/?code=abc&state=StateOfThis", .anotherAddress),
        ("https://localhost:8400/?code=abc&state=StateOfThis", .anotherAddress),
        ("http://localhost:8400/other?code=abc&state=StateOfThis", .anotherAddress),
        ("http://localhost:8400@evil.example/?code=abc&state=StateOfThis", .anotherAddress),
        ("http://megan@localhost:8400/?code=abc&state=StateOfThis", .anotherAddress),
        ("http://localhost:8400/?code=abc", .cutOff), ("http://localhost:8400/?code=abc&state=StateOf", .cutOff),
        ("http://localhost:8400/?state=StateOfThis", .cutOff),
        ("http://localhost:8400/?code=&state=StateOfThis", .cutOff),
        ("http://localhost:8400/#code=abc&state=StateOfThis", .cutOff),
        ("http://localhost:8400/?code=abc&state=StateOfAnother", .anotherSignIn),
        // As long as the line that a terminal truncates.
        ("http://localhost:8400/?state=StateOfAnother&code=" + String(repeating: "a", count: 4045), .anotherSignIn),
        ("http://localhost:8400/?code=abc&state=StateOfThisAndMore", .anotherSignIn),
    ])
    func `any other text is rejected with a reason`(text: String, refusal: PastedRedirect.Refusal) {
        #expect(throws: refusal) { try judge.parameters(in: text) }
    }

    @Test func `a line that a terminal truncated is recognized`() {
        let start = "http://localhost:8400/?code="
        let long = start + String(repeating: "a", count: 5000) + "&state=StateOfThis"

        #expect(throws: PastedRedirect.Refusal.cutOff) { try judge.parameters(in: String(long.prefix(4095))) }
        #expect(throws: PastedRedirect.Refusal.tooLong) {
            try judge.parameters(in: start + String(repeating: "a", count: 70_000))
        }
        #expect(throws: Never.self) { try judge.parameters(in: long) }
    }

    @Test func `the first value of a repeated name is used`() throws {
        #expect(try judge.parameters(in: Self.good + "&code=evil")["code"] == "abc")
    }

    @Test(arguments: PastedRedirect.Refusal.allCases)
    func `no rejection repeats the pasted text`(_ refusal: PastedRedirect.Refusal) {
        #expect(refusal.explanation.hasSuffix("."))
    }
}
