// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct WebSignInRequestTests {
    private func query(of request: MSALWebSignInRequest) throws -> [String: String] {
        let components = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false))
        return Dictionary(uniqueKeysWithValues: (components.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    }

    @Test func `the URL requests a code, with state, nonce and PKCE`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin(["User.Read"]) {
            $0.prompt = .selectAccount
            $0.loginHint = "megan@contoso.example"
            $0.domainHint = "organizations"
            $0.extraScopesToConsent = ["Mail.Read"]
            $0.claims = #"{"id_token":{"auth_time":{"essential":true}}}"#
        }
        let query = try query(of: request)

        #expect(
            request.url.absoluteString.hasPrefix("https://login.microsoftonline.com/\(SignInService.tenant)/oauth2/")
        )
        #expect(query["response_type"] == "code")
        #expect(query["response_mode"] == "form_post")
        #expect(query["client_id"] == SignInService.clientID)
        #expect(query["redirect_uri"] == "https://app.contoso.example/signin")
        #expect(query["scope"] == "User.Read openid profile offline_access Mail.Read")
        #expect(query["state"] == request.secrets.state.exposed)
        #expect(query["nonce"] == request.secrets.nonce.exposed)
        #expect(query["code_challenge"] == PKCE(verifier: request.secrets.verifier).challenge)
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["prompt"] == "select_account")
        #expect(query["login_hint"] == "megan@contoso.example")
        #expect(query["domain_hint"] == "organizations")
        #expect(query["claims"] == #"{"id_token":{"auth_time":{"essential":true}}}"#)
        #expect(query["client_info"] == "1")
        #expect(Set([request.secrets.state, request.secrets.nonce, request.secrets.verifier]).count == 3)
        #expect(!request.url.absoluteString.contains(request.secrets.verifier.exposed))
    }

    @Test func `a URL that no server accepts is rejected, with its length`() async throws {
        let story = try WebAppStory()

        let error = await #expect(throws: MSALTokenError.self) {
            try await story.begin { $0.extraQueryParameters = ["long": String(repeating: "a", count: 17_000)] }
        }

        #expect(error?.kind == .configuration)
        #expect(error?.message.contains("at most 16384 are accepted") == true)
    }

    @Test func `extra parameters are added to the URL and replace no security parameter`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin {
            $0.extraQueryParameters = [
                "slice": "testslice", "state": "mine", "nonce": "mine", "redirect_uri": "https://evil.example",
                "code_challenge": "mine", "response_mode": "query", "client_id": "other", "response_type": "token",
            ]
        }
        let query = try query(of: request)

        #expect(query["slice"] == "testslice")
        #expect(query["state"] == request.secrets.state.exposed)
        #expect(query["nonce"] == request.secrets.nonce.exposed)
        #expect(query["redirect_uri"] == "https://app.contoso.example/signin")
        #expect(query["response_mode"] == "form_post")
        #expect(query["response_type"] == "code")
        #expect(query["client_id"] == SignInService.clientID)
    }

    @Test func `a tenant of the call replaces the configured one`() async throws {
        let story = try WebAppStory(authority: .organizations)
        let request = try await story.begin { $0.tenant = "fabrikam.example" }

        #expect(request.requested.authority.absoluteString.contains("fabrikam.example"))
    }

    @Test func `metadata are fetched once`() async throws {
        let story = try WebAppStory()
        _ = try await story.begin()
        _ = try await story.begin()

        #expect(story.service.documentsServed == 1)
        try story.service.verify()
    }

    @Test(arguments: [
        nil, "", "app.contoso.example/signin", "http://app.contoso.example/signin", "https://app.contoso.example/#a",
        "https://user@app.contoso.example/", "msauth://app", "https://",
    ])
    func `a redirect URI that is missing or not a web address is rejected`(_ address: String?) async throws {
        let story = try WebAppStory { $0.redirectUri = address }
        let error = try await tokenFailure { _ = try await story.begin() }

        #expect(error?.kind == .configuration)
        #expect(story.service.documentsServed == 0)
    }

    @Test(arguments: ["https://app.contoso.example/signin?a=b", "http://localhost:5000/signin", "http://[::1]:5000/"])
    func `a web address is used unchanged`(_ address: String) async throws {
        let story = try WebAppStory { $0.redirectUri = address }

        #expect(try query(of: await story.begin())["redirect_uri"] == address)
    }

    @Test(arguments: [["openid"], ["User.Read", "offline_access"], [SignInService.clientID]])
    func `scopes that the library adds, or the client itself, are rejected`(_ scopes: [String]) async throws {
        let story = try WebAppStory()
        let error = try await tokenFailure { _ = try await story.begin(scopes) }

        #expect(error?.kind == .invalidScopes)
    }

    @Test func `neither the request nor the response prints its secrets`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let response = try story.response(to: request)
        var texts = ["\(request)", "\(response)", String(reflecting: request), String(reflecting: response)]
        for value in [request, response] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }

        for text in texts {
            for secret in [request.secrets.state, request.secrets.nonce, request.secrets.verifier, Secret("0.abc")] {
                #expect(!text.contains(secret.exposed))
            }
        }
    }
}

struct WebSignInRequestCodingTests {
    @Test func `a request survives encoding and decoding`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let copy = try JSONDecoder().decode(MSALWebSignInRequest.self, from: try JSONEncoder().encode(request))

        #expect(copy.url == request.url)
        #expect(copy.secrets.state == request.secrets.state)
        #expect(copy.secrets.nonce == request.secrets.nonce)
        #expect(copy.secrets.verifier == request.secrets.verifier)
        #expect(copy.correlationID == request.correlationID)
        #expect(copy.scopes == request.scopes)
        story.service.append(
            SignInService.tokens(
                idToken: try story.service.idToken(nonce: request.secrets.nonce.exposed, at: story.time.now)
            )
        )
        let result = try await story.application.acquireToken(try story.response(to: copy), for: copy)
        #expect(result.accessToken == "at-1")
    }

    @Test(arguments: [
        ("version", JSONValue.integer(2)), ("version", .null), ("verifier", .string("short")), ("state", .string("")),
        ("nonce", .null), ("url", .integer(1)),
    ])
    func `another version and a damaged request are rejected`(_ member: String, _ value: JSONValue) async throws {
        let request = try await WebAppStory().begin()
        var members = try #require(JSONValue(parsing: try JSONEncoder().encode(request))?.object)
        members[member] = value
        let data = Data(JSONValue.object(members).text.utf8)

        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MSALWebSignInRequest.self, from: data) }
    }

    @Test(arguments: [
        ("clientID", JSONValue.string("other")), ("redirectURI", .string("https://evil.example/")),
        ("authority", .string("https://login.microsoftonline.com/other")), ("tenant", .string("other")),
        ("begun", .integer(0)), ("begun", .integer(.max)), ("begun", .integer(.min)),
        ("responseMode", .string("query")),
    ])
    func `an altered or old request ends without a request to the service`(
        _ member: String,
        _ value: JSONValue
    ) async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        var members = try #require(JSONValue(parsing: try JSONEncoder().encode(request))?.object)
        members[member] = value
        let altered = try JSONDecoder().decode(
            MSALWebSignInRequest.self,
            from: Data(JSONValue.object(members).text.utf8)
        )
        let response = try story.response(to: request)
        let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: altered) }

        #expect(error?.kind == .invalidSignInResponse)
        #expect(story.service.messages.isEmpty)
    }
}
