// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALBase

struct LogMessageTests {
    private let message: LogMessage = "for \(username: "megan@contoso.example") \(list: ["a", "b"]) \(Secret("token"))"

    @Test func `everything is masked by default`() {
        let text = message.text(.settingsMaskAllPII)

        #expect(text.hasPrefix("for auth.placeholder-"))
        #expect(text.hasSuffix("__contoso.example MaskedArray(count=2) ‹redacted›"))
    }

    @Test func `when only people are masked, the scopes are shown`() {
        let text = message.text(.settingsMaskEUIIOnly)

        #expect(text.hasPrefix("for auth.placeholder-"))
        #expect(text.hasSuffix("__contoso.example a, b ‹redacted›"))
    }

    @Test func `secrets stay masked when everything else is shown`() {
        #expect(message.text(.settingsMaskSecretsOnly) == "for megan@contoso.example a, b ‹redacted›")
    }

    @Test func `ids are masked only when everything is`() {
        let message: LogMessage = "\(trackable: "user.tenant") \(count: 2) \(trackable: nil) \(username: nil)"

        #expect(message.text(.settingsMaskAllPII) == "c3840650 2 none none")
        #expect(message.text(.settingsMaskEUIIOnly) == "user.tenant 2 none none")
        #expect(message.text(.settingsMaskSecretsOnly) == "user.tenant 2 none none")
    }

    @Test(arguments: ["/home/megan", "/home/megan/"])
    func `a log line does not contain the user's home directory`(_ home: String) {
        let line: LogMessage = "\(line: "The store /home/megan/.local/state/msal/tokens.db is busy.")"

        #expect(line.text(.settingsMaskAllPII, home: home) == "The store ~/.local/state/msal/tokens.db is busy.")
        #expect(line.text(.settingsMaskEUIIOnly, home: home) == line.text(.settingsMaskAllPII, home: home))
        #expect(line.text(.settingsMaskSecretsOnly, home: home).contains("/home/megan/"))
    }

    /// Runs in a separate process because the home directory is different there.
    @Test func `the user's directory is recognized by its name in any letter case`() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/José Díaz", 1)
            let line: LogMessage = "\(line: "The store /home/José Díaz/.local/state/msal/tokens.db is busy.")"

            #expect(line.text(.settingsMaskAllPII) == "The store ~/.local/state/msal/tokens.db is busy.")
        }
    }

    @Test(arguments: ["/", "", "/root"])
    func `other paths stay unchanged`(_ home: String) {
        let line: LogMessage = "\(line: "The key /run/credentials/key is missing.")"

        #expect(line.text(.settingsMaskAllPII, home: home) == "The key /run/credentials/key is missing.")
    }
}
