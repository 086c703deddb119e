// Licensed under the MIT License. See LICENSE.

import Foundation

/// The text of the pages that the browser shows at the end of a visit. They are escaped where they are shown.
package struct LandingTexts: Sendable, Hashable {
    /// A heading and a sentence below it.
    package struct Text: Sendable, Hashable {
        var heading: String
        var text: String
    }

    /// The name of the app, which is shown above the heading.
    var appName: String?
    /// The language of the texts, for screen readers: a tag of BCP 47.
    var language = "en"
    var signedIn: Text?
    var signedOut: Text?
    var refused: Text?

    var signedInPage: Page?
    var signedOutPage: Page?
    var refusedPage: Page?

    /// What an app shows instead of the library's page.
    package enum Page: Sendable, Hashable {
        /// HTML, in which `$error` is replaced by the escaped error.
        case html(String)
        case address(URL)
    }

    /// The app's name inside a sentence.
    private var app: String { appName ?? "the app" }

    func success(_ purpose: AuthorizationVisit.Purpose) -> Text {
        let text = "Close this tab and return to \(app)."
        switch purpose {
        case .signIn: return signedIn ?? Text(heading: "You are signed in", text: text)
        case .signOut: return signedOut ?? Text(heading: "You are signed out", text: text)
        }
    }

    func successPage(_ purpose: AuthorizationVisit.Purpose) -> Page? {
        switch purpose {
        case .signIn: return signedInPage
        case .signOut: return signedOutPage
        }
    }

    var failure: Text {
        refused ?? Text(heading: "Sign-in did not complete", text: "Return to \(app) to try again.")
    }
}
