// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import Foundation
import MSAL
import ScriptedAgent

/// The program that displays or fills in the sign-in pages.
enum UserAgent {
    /// A program that fills in the forms.
    case script(ScriptedAgent)
    /// A browser of the demo with a separate profile.
    case window(TemporaryBrowser)
    /// The browser that the desktop opens.
    case desktop

    /// Whether the demo opens the pages itself instead of the library.
    var isOwn: Bool {
        switch self {
        case .script, .window: true
        case .desktop: false
        }
    }

    /// Opens an address without waiting for the result. If the agent fails, the sign-in is canceled.
    func visit(_ url: URL) {
        let narrator = Narrator()
        switch self {
        case .script(let agent):
            // This task is not awaited. It ends with the sign-in, which is awaited, and its failure cancels the
            // sign-in.
            Task {
                do {
                    let outcome = try await agent.run(url)
                    narrator.say("The agent filled in \(outcome.steps) pages and was redirected back to this program.")
                } catch {
                    narrator.say("The scripted agent failed: \(error)")
                    _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
                }
            }
        case .window(let browser):
            do throws(TemporaryBrowser.Unavailable) {
                try browser.open(url) {
                    guard MSALPublicClientApplication.cancelCurrentWebAuthSession() else { return }
                    narrator.say("The browser's window was closed.")
                }
            } catch {
                narrator.say("Chromium did not start: \(error.reason)")
                _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
            }
        case .desktop:
            narrator.say("If no browser opens, open this on this machine: \(url)")
        }
    }

    /// Ends the agent and deletes its files.
    func close() async {
        switch self {
        case .script, .desktop: break
        case .window(let browser):
            let isGone = await browser.close()
            Narrator().say("The browser's window is closed.\(isGone ? " Its profile is deleted." : "")")
            if !isGone {
                Narrator().say("Its profile could not be deleted: \(browser.home.path(percentEncoded: false))")
            }
        }
    }
}
