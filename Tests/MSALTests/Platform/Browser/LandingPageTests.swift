// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL

/// The texts of the final page.
struct LandingPageTests {
    @Test func `the app's name and texts are shown, escaped, without a script`() {
        var landing = MSALLandingPage(appName: "Contoso <b>")
        landing.language = "de"
        landing.signedIn = MSALLandingPage.Text(heading: "Angemeldet", text: "Zurück zu \"Contoso\".")

        let page = LoopbackPage.success(.signIn, texts: landing.texts).html

        #expect(page.contains("Contoso &lt;b&gt;") && !page.contains("<b>"))
        #expect(page.contains("<h1>Angemeldet</h1>") && page.contains("<title>Angemeldet</title>"))
        #expect(page.contains("Zurück zu &quot;Contoso&quot;.") && page.contains("lang=\"de\""))
        #expect(page.contains("color-scheme") && !page.contains("<script"))
    }

    @Test func `the library's own texts name the app`() {
        let texts = MSALLandingPage(appName: "Contoso").texts

        #expect(LoopbackPage.success(.signIn, texts: texts).html.contains("return to Contoso."))
        #expect(LoopbackPage.success(.signOut, texts: texts).html.contains("You are signed out"))
        #expect(LoopbackPage.refused(["error": "e"], texts: texts).html.contains("Return to Contoso to try again."))
        #expect(LoopbackPage.success(.signIn).html.contains("return to the app."))
    }

    @Test func `the web view's parameters contain the texts, and copies keep them`() throws {
        let webview = MSALWebviewParameters()
        webview.landingPage = MSALLandingPage(appName: "Contoso")

        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"], webviewParameters: webview)

        #expect(try parameters.snapshot().window.pageTexts.appName == "Contoso")
    }

    @Test func `the app's HTML replaces each page, and the error in it is escaped`() throws {
        var landing = MSALLandingPage()
        landing.signedInPage = try .html("<h1>Welcome $error</h1>")
        landing.failedPage = try .html("<p>$error</p><p>$error</p>")
        let hostile = ["error": "access_denied", "error_description": "<script>alert('$error')</script>"]

        let refused = LoopbackPage.refused(hostile, status: 400, texts: landing.texts)

        #expect(LoopbackPage.success(.signIn, texts: landing.texts).html == "<h1>Welcome </h1>")
        #expect(LoopbackPage.success(.signOut, texts: landing.texts).html.contains("You are signed out"))
        let text = "access_denied: &lt;script&gt;alert(&#39;$error&#39;)&lt;/script&gt;"
        #expect(refused.html == "<p>\(text)</p><p>\(text)</p>")
        #expect(refused.status == 400)
        let policy = try #require(refused.headers.first { $0.0 == "Content-Security-Policy" }?.1)
        #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("script-src"))
        #expect(refused.headers.contains { $0 == ("Referrer-Policy", "no-referrer") })
    }

    @Test func `a character with an accent is escaped like one without`() {
        let page = LoopbackPage.refused(["error": "<\u{338}b>\u{338} \"\u{301} &\u{301}"]).html

        let expected = "&lt;\u{338}b&gt;\u{338} &quot;\u{301} &amp;\u{301}"
        #expect(Data(page.utf8).range(of: Data(expected.utf8)) != nil)
    }

    @Test func `the browser is redirected to the app's address, without the code or the error`() throws {
        var landing = MSALLandingPage()
        landing.signedOutPage = try .address(#require(URL(string: "http://localhost:8080/bye?from=notes")))
        landing.failedPage = try .address(#require(URL(string: "https://notes.contoso.com/failed")))

        let out = LoopbackPage.success(.signOut, texts: landing.texts)
        let failed = LoopbackPage.refused(["error": "access_denied", "code": "secret"], texts: landing.texts)

        #expect(out.status == 302)
        #expect(out.headers.contains { $0 == ("Location", "http://localhost:8080/bye?from=notes") })
        #expect(failed.headers.contains { $0 == ("Location", "https://notes.contoso.com/failed") })
        #expect(!failed.html.contains("access_denied") && !failed.html.contains("secret"))
    }

    @Test(arguments: [
        "http://notes.contoso.com", "http://localhost.contoso.com", "https:/welcome", "javascript:alert(1)",
        "file:///etc/passwd", "data:text/html,hello", "msauth://notes", "//contoso.com",
    ])
    func `an address that is neither https nor of this machine is refused when it is set`(address: String) throws {
        let url = try #require(URL(string: address))

        #expect(throws: NSError.self) { try MSALLandingPage.Page.address(url) }
    }

    @Test func `a page of more than 256 KiB is refused when it is set`() throws {
        let largest = String(repeating: "é", count: 128 * 1024)

        #expect(try MSALLandingPage.Page.html(largest) == .html(largest))
        #expect(throws: NSError.self) { try MSALLandingPage.Page.html(largest + "a") }
    }
}
