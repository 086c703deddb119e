// Licensed under the MIT License. See LICENSE.

/// The words of the pages that the browser shows when it comes back to this machine. Linux only.
///
/// The pages are light or dark as the browser is, and have no script. Every text is shown as it is: markup in it is
/// escaped.
public struct MSALLandingPage: Sendable, Hashable {
    /// A heading and a sentence below it.
    public struct Words: Sendable, Hashable {
        /// The heading, which is the tab's title as well.
        public var heading: String
        /// The sentence below it.
        public var text: String

        /// A heading and a sentence.
        public init(heading: String, text: String) {
            self.heading = heading
            self.text = text
        }
    }

    /// The name of the app, which stands above the heading and in the library's own sentences; `nil` by default.
    public var appName: String?
    /// The language of the words, for screen readers: a tag such as `de` (BCP 47); `en` by default.
    public var language = "en"
    /// The page after a sign-in; `nil` is the library's.
    public var signedIn: Words?
    /// The page after a sign-out; `nil` is the library's.
    public var signedOut: Words?
    /// The page of a sign-in that did not complete; `nil` is the library's. The service's words follow.
    public var failed: Words?

    /// The library's words.
    public init(appName: String? = nil) {
        self.appName = appName
    }

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

extension MSALLandingPage.Words {
    fileprivate var core: LandingTexts.Words { LandingTexts.Words(heading: heading, text: text) }
}
