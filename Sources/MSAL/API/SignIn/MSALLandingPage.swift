// Licensed under the MIT License. See LICENSE.

/// The texts of the pages that the browser shows when it returns to this machine. Linux only.
///
/// The pages follow the browser's light or dark color scheme and have no script. All text is escaped.
public struct MSALLandingPage: Sendable, Hashable {
    /// A heading and the sentence below it.
    public struct Text: Sendable, Hashable {
        /// The heading, which is also the tab's title.
        public var heading: String
        /// The sentence below it.
        public var text: String

        /// Creates a heading and a sentence.
        public init(heading: String, text: String) {
            self.heading = heading
            self.text = text
        }
    }

    /// The name of the app, which is shown above the heading and in the library's own sentences; `nil` by default.
    public var appName: String?
    /// The language of the texts, for screen readers: a tag such as `de` (BCP 47); `en` by default.
    public var language = "en"
    /// The page after a sign-in; `nil` uses the library's.
    public var signedIn: Text?
    /// The page after a sign-out; `nil` uses the library's.
    public var signedOut: Text?
    /// The page of a sign-in that did not complete; `nil` uses the library's. The service's message follows.
    public var failed: Text?

    /// Creates a page with the library's texts.
    public init(appName: String? = nil) { self.appName = appName }

    var texts: LandingTexts {
        var texts = LandingTexts()
        texts.appName = appName
        texts.language = language
        texts.signedIn = signedIn?.core
        texts.signedOut = signedOut?.core
        texts.refused = failed?.core
        return texts
    }
}

extension MSALLandingPage.Text {
    fileprivate var core: LandingTexts.Text { LandingTexts.Text(heading: heading, text: text) }
}
