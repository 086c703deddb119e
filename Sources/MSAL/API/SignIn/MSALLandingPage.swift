// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

/// The pages that the browser shows when it returns to this machine. Linux only.
///
/// The library's pages follow the browser's light or dark color scheme and have no script. All text is escaped. An app
/// can change their texts, or replace each page with its own HTML or an address.
///
/// ```swift
/// var page = MSALLandingPage(appName: "Contoso Notes")
/// page.signedInPage = try .address(URL(string: "https://notes.contoso.com/welcome")!)
/// page.failedPage = try .html("<!DOCTYPE html><title>Notes</title><h1>Not signed in</h1><p>$error</p>")
/// interactive.webviewParameters.landingPage = page
/// ```
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

    /// What the browser shows instead of the library's page.
    public struct Page: Sendable, Hashable {
        let core: LandingTexts.Page

        /// HTML of the app, in which `$error` stands for the error and its description, escaped.
        ///
        /// The browser runs no script of the page and requests nothing from it: styles are inline, and images are
        /// `data:` URLs.
        ///
        /// - Parameter html: At most 256 KiB in UTF-8.
        /// - Returns: The page for ``MSALLandingPage``.
        /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for a larger page: make it smaller.
        public static func html(_ html: String) throws -> Page {
            try throwingNSError { () throws(AuthError) in
                guard html.utf8.count <= 256 * 1024 else {
                    throw AuthError(.invalidParameter, message: "A landing page may have at most 256 KiB.")
                }
                return Page(core: .html(html))
            }
        }

        /// An address to which the browser is redirected. It receives neither the authorization code nor the error.
        ///
        /// - Parameter url: An `https` URL, or an `http` URL of this machine (`localhost`, `127.0.0.1`, or `[::1]`).
        /// - Returns: The page for ``MSALLandingPage``.
        /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for any other address.
        public static func address(_ url: URL) throws -> Page {
            try throwingNSError { () throws(AuthError) in
                let address = AuthorityAddress(url)
                guard let address, address.isSecure || address.isLoopback && url.scheme?.lowercased() == "http" else {
                    let message = "The address of a landing page must begin with https, or with http://localhost."
                    throw AuthError(.invalidParameter, message: message)
                }
                return Page(core: .address(url))
            }
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

    /// Replaces the page after a sign-in; `nil` by default.
    public var signedInPage: Page?
    /// Replaces the page after a sign-out; `nil` by default.
    public var signedOutPage: Page?
    /// Replaces the page of a sign-in that did not complete; `nil` by default.
    public var failedPage: Page?

    /// Creates a page with the library's texts.
    public init(appName: String? = nil) { self.appName = appName }

    var texts: LandingTexts {
        var texts = LandingTexts()
        texts.appName = appName
        texts.language = language
        texts.signedIn = signedIn?.core
        texts.signedOut = signedOut?.core
        texts.refused = failed?.core
        texts.signedInPage = signedInPage?.core
        texts.signedOutPage = signedOutPage?.core
        texts.refusedPage = failedPage?.core
        return texts
    }
}

extension MSALLandingPage.Text {
    fileprivate var core: LandingTexts.Text { LandingTexts.Text(heading: heading, text: text) }
}
