// Licensed under the MIT License. See LICENSE.

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
}
