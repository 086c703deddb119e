// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

struct LogMessageTests {
    private let message: LogMessage = "for \(username: "megan@contoso.example") \(list: ["a", "b"]) \(Secret("token"))"

    @Test func `everything is masked by default`() {
        let text = message.text(.all)

        #expect(text.hasPrefix("for auth.placeholder-"))
        #expect(text.hasSuffix("__contoso.example MaskedArray(count=2) ‹redacted›"))
    }

    @Test func `secrets stay hidden when nothing else is`() {
        #expect(message.text(.secrets) == "for megan@contoso.example a, b ‹redacted›")
    }

    @Test func `addresses lose the values of their queries`() throws {
        let url = try #require(URL(string: "https://host.example/path?code=secret&state=s"))

        #expect(("\(url)" as LogMessage).text(.secrets) == "https://host.example/path?code=…&state=…")
    }
}
