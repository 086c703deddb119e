// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

struct SignOutTests {
    private func query(of url: URL) throws -> [String: String] {
        let components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        return Dictionary(uniqueKeysWithValues: (components.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    }

    @Test func `the page receives the return URL and the user's hint`() async throws {
        let story = try WebAppStory()
        try await story.signIn(claims: ["login_hint": .string("hint")])
        let url = try await story.application.signOutURL(
            homeAccountIdentifier: SignInService.homeAccountID,
            state: "s"
        )
        let query = try query(of: url)

        #expect(url.path().hasSuffix("/oauth2/v2.0/logout"))
        #expect(query["post_logout_redirect_uri"] == "https://app.contoso.example/signed-out")
        #expect(query["logout_hint"] == "hint")
        #expect(query["state"] == "s")
        #expect(query["id_token_hint"] == nil)
    }

    @Test func `without a user and a return URL the page has no parameters`() async throws {
        let story = try WebAppStory { $0.postLogoutRedirectUri = nil }
        let query = try query(of: try await story.application.signOutURL())

        #expect(query["post_logout_redirect_uri"] == nil)
        #expect(query["logout_hint"] == nil)
        #expect(query["state"] == nil)
    }

    @Test func `an authority without the page, and an invalid return URL, are rejected`() async throws {
        let none = try WebAppStory(SignInService(metadata: ["end_session_endpoint": .null]))
        let wrong = try WebAppStory { $0.postLogoutRedirectUri = "javascript:alert(1)" }
        for story in [none, wrong] {
            let error = try await failure { () async throws(MSALTokenError) in try await story.application.signOutURL()
            }
            #expect(error.kind == .configuration)
        }
    }
}
