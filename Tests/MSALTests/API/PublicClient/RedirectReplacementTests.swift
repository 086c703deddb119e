// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase

/// With `MSAL_REDIRECT_URI`, the user of an app can run it where its own redirect URI does not work.
struct RedirectReplacementTests {
    private let own = "msauth.com.contoso.app://auth"

    @Test func `the environment replaces the redirect URI of any app, with a warning`() throws {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in if level == .warning { lines.withLock { $0.append(line) } } }

        let application = try Log.$listener.withValue(listener) {
            try make(own, replacement: " http://localhost:8400/cb ")
        }

        let redirectURI = try application.client().configuration.browser.redirectURI
        #expect(redirectURI.text == "http://localhost:8400/cb")
        #expect(application.configuration.redirectUri == own)
        #expect(
            lines.withLock { $0 } == [
                "MSAL_REDIRECT_URI replaces the redirect URI \(own) with http://localhost:8400/cb."
            ]
        )
    }

    @Test(arguments: [nil, "", "  "])
    func `an empty value replaces nothing`(_ replacement: String?) throws {
        let application = try make("http://localhost:1234", replacement: replacement)

        #expect(try application.client().configuration.browser.redirectURI.text == "http://localhost:1234")
    }

    @Test func `the error for a redirect URI that does not work here names the variable`() throws {
        let error = try #require(nsError { _ = try make(own, replacement: nil) })

        #expect(error.detail == -42001)
        let text = error.userInfo[MSALErrorDescriptionKey] as? String
        #expect(text?.contains("MSAL_REDIRECT_URI in the environment replaces it.") == true, "\(text ?? "")")
    }

    @Test func `the error for a replacement says that it comes from the variable`() throws {
        let error = try #require(nsError { _ = try make("http://localhost", replacement: "nothing") })

        #expect(error.detail == -42011)
        let text = error.userInfo[MSALErrorDescriptionKey] as? String
        #expect(text?.contains("nothing is missing a scheme.") == true, "\(text ?? "")")
        #expect(text?.contains("It comes from MSAL_REDIRECT_URI.") == true)
    }

    private func make(_ own: String, replacement: String?) throws -> MSALPublicClientApplication {
        let environment = replacement.map { ["MSAL_REDIRECT_URI": $0] } ?? [:]
        return try BadInputBench(environment: environment) { $0.redirectUri = own }.application
    }
}
