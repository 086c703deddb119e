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

    @Test func `where only people are masked, what they asked for is shown`() {
        let text = message.text(.settingsMaskEUIIOnly)

        #expect(text.hasPrefix("for auth.placeholder-"))
        #expect(text.hasSuffix("__contoso.example a, b ‹redacted›"))
    }

    @Test func `secrets stay hidden when nothing else is`() {
        #expect(message.text(.settingsMaskSecretsOnly) == "for megan@contoso.example a, b ‹redacted›")
    }

    @Test func `ids are hidden with everything else only`() {
        let message: LogMessage = "\(trackable: "user.tenant") \(count: 2) \(trackable: nil) \(username: nil)"

        #expect(message.text(.settingsMaskAllPII) == "c3840650 2 none none")
        #expect(message.text(.settingsMaskEUIIOnly) == "user.tenant 2 none none")
        #expect(message.text(.settingsMaskSecretsOnly) == "user.tenant 2 none none")
    }

    @Test(arguments: ["/home/megan", "/home/megan/"])
    func `a line of the core does not tell the user's directory`(_ home: String) {
        let line: LogMessage = "\(line: "The store /home/megan/.local/state/msal/tokens.db is busy.")"

        #expect(line.text(.settingsMaskAllPII, home: home) == "The store ~/.local/state/msal/tokens.db is busy.")
        #expect(line.text(.settingsMaskEUIIOnly, home: home) == line.text(.settingsMaskAllPII, home: home))
        #expect(line.text(.settingsMaskSecretsOnly, home: home).contains("/home/megan/"))
    }

    /// In a process of its own, for there it is somebody else's directory.
    @Test func `the user's directory is known by its name whatever the letters`() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/José Díaz", 1)
            let line: LogMessage = "\(line: "The store /home/José Díaz/.local/state/msal/tokens.db is busy.")"

            #expect(line.text(.settingsMaskAllPII) == "The store ~/.local/state/msal/tokens.db is busy.")
        }
    }

    @Test(arguments: ["/", "", "/root"])
    func `other paths stay as they are`(_ home: String) {
        let line: LogMessage = "\(line: "The key /run/credentials/key is missing.")"

        #expect(line.text(.settingsMaskAllPII, home: home) == "The key /run/credentials/key is missing.")
    }
}
