// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A page of the loopback listener. It has a heading, a sentence, and no script, and follows the browser's light or
/// dark color scheme.
struct LoopbackPage: Sendable, Equatable {
    var status: Int
    var html: String
    /// The headers that are specific to this page.
    private var ownHeaders: [String: String] = [:]

    /// All headers of the page.
    var headers: [(String, String)] { Self.commonHeaders + ownHeaders.map { ($0.key, $0.value) } }

    /// The headers of every page. The browser loads, frames, and stores nothing, and no other site learns the URL.
    private static let commonHeaders = [
        ("Content-Type", "text/html; charset=utf-8"),
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
    ]

    static func success(_ purpose: AuthorizationVisit.Purpose, texts: LandingTexts = LandingTexts()) -> LoopbackPage {
        if let page = texts.successPage(purpose) { return own(page, status: 200) }
        let words = texts.success(purpose)
        return page(200, heading: words.heading, text: words.text, texts: texts)
    }

    /// The page after a refusal. It quotes the authorization server, with HTML escaped.
    static func refused(
        _ parameters: [String: String],
        status: Int = 200,
        texts: LandingTexts = LandingTexts()
    ) -> LoopbackPage {
        let error = parameters["error"] ?? "No authorization code was received."
        let detail = [error, parameters["error_description"] ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        if let page = texts.refusedPage { return own(page, status: status, error: detail) }
        let words = texts.failure
        return page(status, heading: words.heading, text: words.text, detail: detail, texts: texts)
    }

    /// The page that the app provides.
    private static func own(_ page: LandingTexts.Page, status: Int, error: String = "") -> LoopbackPage {
        switch page {
        case .html(let html): LoopbackPage(status: status, html: html.replacing("$error", with: error.escapedForHTML))
        case .address(let url): start(url)
        }
    }

    /// Redirects the browser to `page`. That site does not learn the URL that the browser came from.
    static func start(_ page: URL) -> LoopbackPage {
        var response = Self.page(302, heading: "One moment", text: "The browser continues to the page automatically.")
        response.ownHeaders["Location"] = page.absoluteString
        return response
    }

    /// The page for this user's second visit of the start URL.
    static let startedAlready = page(
        410,
        heading: "This address has already been used",
        text:
            "It works only once. Continue in the tab with the page. If that tab is closed, stop the app's sign-in, in a "
            + "terminal with Ctrl-C, and start it again."
    )

    /// The page that ends a visit because an unknown user opened the start URL again.
    static let startedTwice = page(
        410,
        heading: "Stopped for safety",
        text: "This address was opened twice, possibly by another user. Return to the app to start again."
    )

    /// The page for another user of the machine.
    static let anotherUsers = page(
        403,
        heading: "This belongs to another user",
        text: "Another user of this machine is signing in here. If that is you, open the page as that user."
    )

    /// The page for a request whose header fields are larger than the listener reads.
    static let tooManyCookies = page(
        431,
        heading: "Too many cookies",
        text:
            "The browser sent more cookies of this address than the app can read. Delete the cookies of localhost, and "
            + "reload this page. The app is still waiting for the sign-in to finish."
    )

    /// The page for an unexpected request. `allowed` is the method that the path accepts.
    static func notice(_ status: Int, allowed: String? = nil) -> LoopbackPage {
        let heading = status == 404 ? "Not found" : "This is not the expected response"
        var response = page(status, heading: heading, text: "The app is still waiting for the sign-in to finish.")
        response.ownHeaders["Allow"] = allowed
        return response
    }

    private static func page(
        _ status: Int,
        heading: String,
        text: String,
        detail: String = "",
        texts: LandingTexts = LandingTexts()
    ) -> LoopbackPage {
        let name = texts.appName.map { "<p class=\"app\">\($0.escapedForHTML)</p>" } ?? ""
        let detailLine = detail.isEmpty ? "" : "<p class=\"detail\">\(detail.escapedForHTML)</p>"
        let html = """
            <!DOCTYPE html>
            <html lang="\(texts.language.escapedForHTML)" dir="auto">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(heading.escapedForHTML)</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
            h1 { font-size: 1.6rem; font-weight: 600; line-height: 1.25; margin: .25rem 0 .75rem }
            .app { font-size: .9rem; font-weight: 600; opacity: .75; margin: 0 }
            .detail { font-size: .9rem; opacity: .75; overflow-wrap: anywhere; white-space: pre-line }
            </style>
            </head>
            <body><main>\(name)<h1>\(heading.escapedForHTML)</h1><p>\(text.escapedForHTML)</p>\(detailLine)</main></body>
            </html>
            """
        return LoopbackPage(status: status, html: html)
    }
}
