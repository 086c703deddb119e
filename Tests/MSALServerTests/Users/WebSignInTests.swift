// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct WebSignInTests {
    @Test func `a code is redeemed with verifier and secret, and the result names the user`() async throws {
        let story = try WebAppStory()
        let result = try await story.signIn()
        let form = try #require(story.service.forms.first)

        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "0.abc")
        #expect(form["redirect_uri"] == "https://app.contoso.example/signin")
        #expect(form["code_verifier"]?.utf8.count == 43)
        #expect(form["client_secret"] == "s~ecret")
        #expect(form["client_info"] == "1")
        #expect(form["scope"] == "User.Read openid profile offline_access")
        #expect(result.accessToken == "at-1")
        #expect(result.homeAccountIdentifier == SignInService.homeAccountID)
        #expect(result.idTokenClaims?["name"]?.string == "Megan Bowen")
        #expect(result.tenantIdentifier == SignInService.tenant)
        #expect(result.source == .service)
        try story.service.verify()
    }

    @Test(
        arguments: [
            ["state": "other"], ["state": nil], ["state": ""],
            ["state": "other", "code": nil, "error": "access_denied"],
            ["code": nil], ["code": ""], ["iss": "https://login.evil.example/v2.0"],
        ] as [[String: String?]]
    )
    func `a response that does not belong to the request is rejected without a request`(
        _ changes: [String: String?]
    ) async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let response = try story.response(to: request, changes)
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }

        #expect(error?.kind == .invalidSignInResponse)
        #expect(story.service.messages.isEmpty)
    }

    @Test func `a response with a code in the URL is rejected if a form was requested`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let response = try MSALWebSignInResponse(query: "code=0.abc&state=\(request.secrets.state.exposed)")
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }

        #expect(error?.kind == .invalidSignInResponse)
        #expect(story.service.messages.isEmpty)
    }

    @Test(arguments: [(String?.none, false), (SignInService.issuer, true)])
    func `an issuer that the metadata promise is required`(_ issuer: String?, _ isAccepted: Bool) async throws {
        let promise: [String: JSONValue] = ["authorization_response_iss_parameter_supported": .bool(true)]
        let story = try WebAppStory(SignInService(metadata: promise))
        let request = try await story.begin()
        let idToken = try story.service.idToken(nonce: request.secrets.nonce.exposed, at: story.time.now)
        story.service.append(SignInService.tokens(idToken: idToken))
        let response = try story.response(to: request, ["iss": issuer])
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }

        #expect(error?.kind == (isAccepted ? nil : .invalidSignInResponse))
    }

    @Test(
        arguments: [
            ("access_denied", "cancel", "AADSTS65004: User declined to consent.", MSALTokenError.Kind.userCancelled),
            ("access_denied", nil, "", .userCancelled),
            ("access_denied", nil, "AADSTS50105: The user is not assigned to a role.", .serviceRefused),
            ("consent_required", nil, "AADSTS65001: Not consented.", .consentRequired),
            ("interaction_required", nil, "AADSTS50076: A second factor.", .interactionRequired),
            ("login_required", nil, "", .interactionRequired),
            ("server_error", nil, "", .serviceUnavailable),
            ("invalid_request", nil, "AADSTS900144", .serviceRefused),
        ] as [(String, String?, String, MSALTokenError.Kind)]
    )
    func `an error response has a kind`(
        _ name: String,
        _ subcode: String?,
        _ words: String,
        _ kind: MSALTokenError.Kind
    ) async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let changes: [String: String?] = [
            "code": nil, "error": name, "error_subcode": subcode, "error_description": words, "claims": "{}",
        ]
        let response = try story.response(to: request, changes)
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }

        #expect(error?.kind == kind)
        #expect(error?.oauthError == name)
        #expect(error?.claims == "{}")
        #expect(story.service.messages.isEmpty)
    }

    @Test(
        arguments: [
            ["nonce": .string("other")], ["nonce": .null], ["aud": .string("other")], ["aud": .null],
            ["iss": .string("https://sts.evil.example/")], ["iss": .null], ["exp": .integer(1_767_225_000)],
            ["exp": .null],
            ["nbf": .integer(1_767_229_000)], ["sub": .null], ["azp": .string("other")], ["tid": .string("a\u{1}b")],
            ["oid": .string("11111111-0000-0000-0000-000000000000")],
        ] as [[String: JSONValue]]
    )
    func `an ID token that fails a check keeps nothing`(_ claims: [String: JSONValue]) async throws {
        let story = try WebAppStory()
        let error = try await tokenFailure { try await story.signIn(claims: claims) }
        let silent = try await tokenFailure { _ = try await story.silent() }

        #expect(error?.kind == .invalidResponse)
        #expect(silent?.kind == .accountNotFound)
    }

    @Test(arguments: ["iss", "aud", "alg"])
    func `text of an ID token cannot add a second line to the error`(_ name: String) async throws {
        let text = "x\r\nERROR forged\u{1B}[2K\u{2028}\u{202E}end"
        let story = try WebAppStory()
        let error = try #require(
            try await tokenFailure {
                try await story.signIn(
                    claims: name == "alg" ? [:] : [name: .string(text)],
                    algorithm: name == "alg" ? text : "ES256"
                )
            }
        )

        #expect(error.kind == .invalidResponse)
        #expect(error.message.contains("found x ERROR forged<U+001B>[2K <U+202E>end. Nothing was kept."))
        #expect(error.localizedDescription == error.message)
        #expect(!"\(error)".hasControlCharacters)
    }

    @Test func `an invalid signature keeps nothing`() async throws {
        let story = try WebAppStory()
        let error = try await tokenFailure { try await story.signIn(breaksSignature: true) }

        #expect(error?.kind == .invalidResponse)
        #expect(error?.message.contains("signature") == true)
    }

    @Test(
        arguments: [
            ["id_token": .null], ["id_token": .string("x")], ["access_token": .null], ["token_type": .string("pop")],
            ["expires_in": .null], ["client_info": .string("?")],
        ] as [[String: JSONValue]]
    )
    func `an incomplete response is rejected`(_ changes: [String: JSONValue]) async throws {
        let story = try WebAppStory()
        let error = try await tokenFailure { try await story.signIn(changes: changes) }

        #expect(error?.kind == .invalidResponse)
    }

    @Test(arguments: [true, false])
    func `without client_info the user is that of a verified ID token`(_ publishesKeys: Bool) async throws {
        let story = try WebAppStory(SignInService(publishesKeys: publishesKeys))
        let error = try await tokenFailure {
            let result = try await story.signIn(changes: ["client_info": .null])
            #expect(result.homeAccountIdentifier == SignInService.homeAccountID)
        }

        #expect(error?.kind == (publishesKeys ? nil : .invalidResponse))
    }

    @Test func `a guest is identified by the home account`() async throws {
        let story = try WebAppStory()
        let home = SignInService.clientInfo(user: "home-id", tenant: "home-tenant")
        let result = try await story.signIn(changes: ["client_info": .string(home)])

        #expect(result.homeAccountIdentifier == "home-id.home-tenant")
    }

    @Test func `a code is not sent again after a lost connection`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        story.service.append(.failure(.connectionLost, hasSentBody: true, to: "/token"))
        let response = try story.response(to: request)
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }

        #expect(error?.kind == .network)
        #expect(story.service.messages.first?.repetition == .unlessSent)
    }

    @Test func `no text of an error contains the code, the verifier or a token`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        story.service.append(SignInService.refusal("invalid_grant", code: 54005))
        let response = try story.response(to: request)
        let error = try #require(
            try await tokenFailure { _ = try await story.application.acquireToken(response, for: request) }
        )

        #expect(error.kind == .interactionRequired)
        for text in ["\(error)", error.message, "\(error.userInfo)"] {
            #expect(!text.contains("0.abc"))
            #expect(!text.contains(request.secrets.verifier.exposed))
        }
    }
}
