// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The characters of tokens, and texts of servers in messages and log lines.
struct BearerTokenTests {
    @Test(arguments: ["ewogfQ.eyJzdWIiOiJ4In0.c2ln", "EwB4A8l6BAAU+/~_-.", "AAAA==", "a"])
    func `a token of RFC 6750 can be sent`(_ token: String) {
        #expect(token.isBearerToken)
    }

    @Test(arguments: [
        "", "=", "a b", "a\r\nX-Evil: 1", "a=b", "tökén", "a\u{0}", "a,b", "a\t", "\u{1B}[31m", "a\u{FF41}",
    ])
    func `any other text is not a token`(_ text: String) {
        #expect(!text.isBearerToken)
    }

    @Test(arguments: ["access_token", "id_token"])
    func `a response with a token that cannot be sent in a header is rejected`(_ member: String) throws {
        var members: [String: JSONValue] = ["access_token": .string("a1"), "id_token": .string("h.p.s")]
        members[member] = .string("a1\r\nX-Evil: secret")

        let fault = #expect(throws: TokenResponse.UnsendableToken.self) {
            try TokenResponse(members: members, receivedAt: Date())
        }

        #expect(fault?.message.contains("secret") == false)
    }

    @Test(arguments: [
        ("AADSTS50011: no.\r\nTrace ID: 1\r\nTimestamp: 2", "AADSTS50011: no. Trace ID: 1 Timestamp: 2"),
        ("a \n\n\t b\n", "a b"), ("\n a", " a"), ("\u{1B}[31mred", "<U+001B>[31mred"),
        ("a\u{0}b\u{7F}", "a<U+0000>b<U+007F>"),
        ("a\u{85}b\u{2028}c\u{2029}", "a b c"), ("\u{202E}evil\u{9B}", "<U+202E>evil<U+009B>"),
        ("Zoë 日本 👩‍👧", "Zoë 日本 👩‍👧"), ("", ""),
    ])
    func `a text becomes one line in which each character is visible`(_ text: String, _ line: String) {
        #expect(text.visibleLine == line)
    }

    @Test func `a log line is one line, whatever a server sent`() {
        let lines = Mutex<[String]>([])

        Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            Log.error("The service says: a\r\nERROR forged \u{1B}[0m")
        }

        #expect(lines.withLock(\.self) == ["The service says: a ERROR forged <U+001B>[0m"])
    }
}
