// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The sign-ins of MSAL 0.x and 1.x request what their documentation says.
@Suite(.timeLimit(.minutes(1)))
struct DeprecatedSignInTests {
    private let deprecated: DeprecatedBench
    private var bench: BadInputBench { deprecated.bench }
    private var amy: MSALAccount { deprecated.amy }
    private var application: MSALPublicClientApplication { bench.application }

    init() throws {
        deprecated = try DeprecatedBench()
    }

    @available(*, deprecated)
    @Test func `a sign-in requests the scopes and no others`() async throws {
        let token = await deprecated.token { application.acquireToken(forScopes: ["user.read"], completionBlock: $0) }

        let page = try #require(bench.agent.openedURLs.last)
        #expect(token == "secret-new-access-token")
        #expect(page.parameter("scope") == "user.read openid profile offline_access")
        for name in ["login_hint", "prompt", "X-AnchorMailbox"] { #expect(page.parameter(name) == nil) }
    }

    @available(*, deprecated)
    @Test func `a login hint is sent to the page`() async throws {
        _ = await deprecated.token {
            application.acquireToken(forScopes: ["user.read"], loginHint: "bob@contoso.example", completionBlock: $0)
        }

        #expect(bench.agent.openedURLs.last?.parameter("login_hint") == "bob@contoso.example")
    }

    @available(*, deprecated)
    @Test func `an account is sent to the page`() async throws {
        _ = await deprecated.token {
            application.acquireToken(forScopes: ["user.read"], account: amy, completionBlock: $0)
        }

        #expect(bench.agent.openedURLs.last?.parameter("login_hint") == Contoso.username)
        #expect(bench.agent.openedURLs.last?.parameter("login_req") == "user-1")
    }

    @available(*, deprecated)
    @Test func `prompt and query parameters are sent to the page`() async throws {
        _ = await deprecated.token {
            application.acquireToken(
                forScopes: ["user.read"],
                account: nil,
                promptType: .consent,
                extraQueryParameters: ["slice": "test"],
                completionBlock: $0
            )
        }

        #expect(bench.agent.openedURLs.last?.parameter("prompt") == "consent")
        #expect(bench.agent.openedURLs.last?.parameter("slice") == "test")
    }

    @available(*, deprecated)
    @Test func `a login hint can be combined with a prompt and query parameters`() async throws {
        _ = await deprecated.token {
            application.acquireToken(
                forScopes: ["user.read"],
                loginHint: "bob@contoso.example",
                promptType: .login,
                extraQueryParameters: ["slice": "test"],
                completionBlock: $0
            )
        }

        let page = try #require(bench.agent.openedURLs.last)
        #expect(page.parameter("login_hint") == "bob@contoso.example")
        #expect(page.parameter("prompt") == "login")
        #expect(page.parameter("slice") == "test")
    }

    /// The four calls with scopes to consent to.
    enum Longest: CaseIterable { case hint, hintAndClaims, account, accountAndClaims }

    @available(*, deprecated)
    @Test(arguments: Longest.allCases)
    func `extra scopes for consent are sent to the page but not to the token endpoint`(_ call: Longest) async throws {
        let id = UUID()
        let url = try #require(URL(string: "https://login.microsoftonline.com/bbbbbbbb-0000-0000-0000-000000000002"))
        let authority = try MSALAADAuthority(url: url)
        let claims = MSALClaimsRequest(jsonString: #"{"access_token":{"nbf":null}}"#, error: nil)

        _ = await deprecated.token { block in
            switch call {
            case .hint:
                application.acquireToken(
                    forScopes: ["user.read"],
                    extraScopesToConsent: ["mail.send"],
                    loginHint: "bob@contoso.example",
                    promptType: .consent,
                    extraQueryParameters: ["slice": "test"],
                    authority: authority,
                    correlationId: id,
                    completionBlock: block
                )
            case .hintAndClaims:
                application.acquireToken(
                    forScopes: ["user.read"],
                    extraScopesToConsent: ["mail.send"],
                    loginHint: "bob@contoso.example",
                    promptType: .consent,
                    extraQueryParameters: ["slice": "test"],
                    claimsRequest: claims,
                    authority: authority,
                    correlationId: id,
                    completionBlock: block
                )
            case .account:
                application.acquireToken(
                    forScopes: ["user.read"],
                    extraScopesToConsent: ["mail.send"],
                    account: amy,
                    promptType: .consent,
                    extraQueryParameters: ["slice": "test"],
                    authority: authority,
                    correlationId: id,
                    completionBlock: block
                )
            case .accountAndClaims:
                application.acquireToken(
                    forScopes: ["user.read"],
                    extraScopesToConsent: ["mail.send"],
                    account: amy,
                    promptType: .consent,
                    extraQueryParameters: ["slice": "test"],
                    claimsRequest: claims,
                    authority: authority,
                    correlationId: id,
                    completionBlock: block
                )
            }
        }

        let page = try #require(bench.agent.openedURLs.last)
        let namesAccount = call == .account || call == .accountAndClaims
        let hasClaims = call == .hintAndClaims || call == .accountAndClaims
        #expect(page.path().hasPrefix("/bbbbbbbb-0000-0000-0000-000000000002/"))
        #expect(page.parameter("scope")?.contains("mail.send") == true)
        #expect(bench.service.tokenRequests.last?.form["scope"]?.contains("mail.send") == false)
        #expect(page.parameter("login_hint") == (namesAccount ? Contoso.username : "bob@contoso.example"))
        #expect(page.parameter("prompt") == "consent")
        #expect(page.parameter("slice") == "test")
        #expect(page.parameter("client-request-id") == id.uuidString)
        #expect(page.parameter("claims") == (hasClaims ? #"{"access_token":{"nbf":null}}"# : nil))
    }

    @available(*, deprecated)
    @Test func `a web view of the app is rejected`() async throws {
        application.webviewType = .wkWebView
        application.customWebview = NSObject()

        let error = await deprecated.failure { application.acquireToken(forScopes: ["user.read"], completionBlock: $0) }

        #expect(application.webviewType == .wkWebView)
        #expect(error == [MSALError.internal.rawValue, -42008])
        #expect(bench.agent.openedURLs.isEmpty)
    }

    @available(*, deprecated)
    @Test(arguments: [true, false])
    func `an authority unknown to the service is rejected unless validation is off`(_ isRefused: Bool) async throws {
        let bench = try BadInputBench { configuration in
            let url = try #require(URL(string: "https://login.fabrikam.example/common"))
            configuration.authority = try MSALAADAuthority(url: url)
        }
        bench.service.setDiscovery(
            .response(
                .made { message throws(TransportError) in
                    if message.url.path().hasSuffix("/discovery/instance") {
                        return .json(.object(["error": .string("invalid_instance")]), status: 400)
                    }
                    let base = "https://login.fabrikam.example/common/oauth2/v2.0"
                    let pages = ["issuer": base, "authorization_endpoint": base, "token_endpoint": base]
                    return .json(.object(pages.mapValues(JSONValue.string)))
                }
            )
        )
        bench.application.validateAuthority = isRefused

        _ = try? await bench.signIn()  // Only the requests before the browser matter.

        #expect(bench.application.validateAuthority == isRefused)
        #expect(bench.agent.openedURLs.isEmpty == isRefused)
    }
}
