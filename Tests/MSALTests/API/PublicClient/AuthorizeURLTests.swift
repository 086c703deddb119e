// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import MSALBase
import TestSupport
import Testing

@testable import MSALCore

/// The address of the sign-in page, parameter by parameter (docs/reference/Protocol.md#authorization-request,
/// #prompt, #headers, #mailbox).
struct AuthorizeURLTests {
    /// A setting of an app and the parameters that it adds to the URL. `nil` removes a parameter.
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var configure: @Sendable (MSALPublicClientApplicationConfig) -> Void = { _ in }
        var adjust: @Sendable (MSALInteractiveTokenParameters, _ amy: MSALAccount) -> Void = { _, _ in }
        let parameters: [String: String?]

        static func request(
            _ name: String,
            _ parameters: [String: String?],
            _ adjust: @escaping @Sendable (MSALInteractiveTokenParameters, MSALAccount) -> Void
        ) -> Setting {
            Setting(testDescription: name, adjust: adjust, parameters: parameters)
        }

        static func prompt(_ type: MSALPromptType, _ text: String?) -> Setting {
            request("prompt \(type)", ["prompt": text]) { parameters, _ in parameters.promptType = type }
        }

        static func app(
            _ name: String,
            _ parameters: [String: String?],
            _ configure: @escaping @Sendable (MSALPublicClientApplicationConfig) -> Void
        ) -> Setting {
            Setting(testDescription: name, configure: configure, parameters: parameters)
        }
    }

    private static let settings: [Setting] = [
        .prompt(.selectAccount, "select_account"),
        .prompt(.login, "login"),
        .prompt(.consent, "consent"),
        .prompt(.create, "create"),
        .prompt(.promptIfNecessary, nil),
        .request(
            "login hint",
            ["login_hint": "bob@contoso.example", "X-AnchorMailbox": "UPN:bob@contoso.example"]
        ) { parameters, _ in
            parameters.loginHint = "bob@contoso.example"
        },
        .request("domain hint", ["domain_hint": "organizations"]) { parameters, _ in
            parameters.domainHint = "organizations"
        },
        .request("QR code with PIN", ["pc": "18"]) { parameters, _ in parameters.preferredAuthMethod = .QRPIN },
        .request(
            "account",
            [
                "login_hint": Contoso.username, "login_req": "user-1", "domain_req": Contoso.tenant,
                "X-AnchorMailbox": "Oid:user-1@\(Contoso.tenant)",
            ]
        ) { parameters, amy in
            parameters.account = amy
            parameters.loginHint = "bob@contoso.example"
        },
        .request("more consent", ["scope": "user.read openid profile offline_access Mail.Read"]) { parameters, _ in
            parameters.extraScopesToConsent = ["Mail.Read"]
        },
        .request("query parameters", ["slice": "a b&c", "client_info": "1"]) { parameters, _ in
            parameters.extraQueryParameters = ["slice": "a b&c", "client_info": "2"]
        },
        .request("answer in the query", ["response_mode": "query"]) { parameters, _ in
            parameters.extraQueryParameters = ["response_mode": "query"]
        },
        .app("several clouds", ["instance_aware": "true"]) { $0.multipleCloudsSupported = true },
        .app("slice", ["slice": "testslice", "dc": "ESTS-1"]) {
            $0.sliceConfig = MSALSliceConfig(slice: "testslice", dc: "ESTS-1")
        },
        .app("name", ["x-app-name": nil]) { $0.applicationID = "com.contoso.app" },
        .app("version", ["x-app-ver": nil]) { $0.applicationVersion = "2.1 (34)" },
        .app("capabilities", ["claims": #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#]) {
            $0.clientApplicationCapabilities = ["CP1"]
        },
    ]

    @Test func `a plain request has the required parameters and no others`() async throws {
        let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000A"))

        let page = try await page { parameters, _ in parameters.correlationId = id }

        let varying: Set = ["state", "nonce", "code_challenge"]
        let items = try #require(URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems)
        let expected = Self.plain.merging(["client-request-id": id.uuidString]) { $1 }
        #expect(page.absoluteString.hasPrefix("https://login.microsoftonline.com/common/oauth2/v2.0/authorize?"))
        #expect(items.filter { !varying.contains($0.name) }.map(\.description).sorted() == expected.items)
        #expect(Set(items.map(\.name)).isSuperset(of: varying))
        #expect(!(page.query() ?? "").contains("+"))
    }

    /// Users copy the URL from a terminal (docs/reference/Decisions.md#short-links).
    @Test(arguments: [
        ("contoso.onmicrosoft.com", [:]), ("00000000-0000-4000-8000-00000000000b", ["response_mode": "query"]),
    ])
    func `the URL of a page has at most 500 characters`(_ tenant: String, more: [String: String]) async throws {
        let bench = try BadInputBench { configuration in
            let url = try #require(URL(string: "https://login.microsoftonline.com/\(tenant)"))
            configuration.authority = try MSALAADAuthority(url: url)
            configuration.applicationID = "com.contoso.app"
        }
        bench.setResponse()
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"])
        parameters.extraQueryParameters = more

        // Whether the response matches the tenant does not matter here.
        _ = try? await bench.application.acquireToken(with: parameters)

        let page = try #require(bench.agent.openedURLs.first)
        #expect(page.absoluteString.contains("/\(tenant)/oauth2/v2.0/authorize?"))
        #expect(page.absoluteString.count <= 500)
        #expect(try #require(page.parameter("state").flatMap { Base64URL.decode($0) }).count == 16)
    }

    @Test(arguments: settings)
    func `a setting adds its parameters and changes no others`(_ setting: Setting) async throws {
        let page = try await page(setting.configure, setting.adjust)

        for (name, value) in setting.parameters { #expect(page.parameter(name) == value, "\(name)") }
        for (name, value) in Self.plain where setting.parameters[name] == nil {
            #expect(page.parameter(name) == value, "\(name)")
        }
    }

    /// The parameters that are the same in every request.
    private static let plain = [
        "client_id": Contoso.clientID, "scope": "user.read openid profile offline_access", "response_type": "code",
        "redirect_uri": "http://localhost:49152", "response_mode": "form_post", "code_challenge_method": "S256",
        "client_info": "1",
    ]

    /// The URL that the browser opens.
    private func page(
        _ configure: (MSALPublicClientApplicationConfig) -> Void = { _ in },
        _ adjust: (MSALInteractiveTokenParameters, MSALAccount) -> Void
    ) async throws -> URL {
        let bench = try BadInputBench { configure($0) }
        bench.setResponse()
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        adjust(parameters, try bench.application.account(forIdentifier: Contoso.homeAccountID))

        _ = try await bench.application.acquireToken(with: parameters)

        #expect(bench.agent.openedURLs.count == 1)
        return try #require(bench.agent.openedURLs.first)
    }
}

extension [String: String] {
    /// The pairs as query items, in order.
    fileprivate var items: [String] { map { URLQueryItem(name: $0, value: $1).description }.sorted() }
}
