// Licensed under the MIT License. See LICENSE.

/// The text of the pages that the browser shows at the end of a visit. They are escaped where they are shown.
package struct LandingTexts: Sendable, Hashable {
    /// A heading and a sentence below it.
    package struct Text: Sendable, Hashable {
        var heading: String
        var text: String
    }

    /// The name of the app, which stands above the heading.
    var appName: String?
    /// The language of the words, for screen readers: a tag of BCP 47.
    var language = "en"
    var signedIn: Text?
    var signedOut: Text?
    var refused: Text?

    /// The app's name inside a sentence.
    private var app: String { appName ?? "the app" }

    func success(_ purpose: AuthorizationVisit.Purpose) -> Text {
        let text = "Close this tab and return to \(app)."
        switch purpose {
        case .signIn: return signedIn ?? Text(heading: "You are signed in", text: text)
        case .signOut: return signedOut ?? Text(heading: "You are signed out", text: text)
        }
    }

    var failure: Text { refused ?? Text(heading: "Sign-in did not complete", text: "Return to \(app) to try again.") }
}
