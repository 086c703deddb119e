// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import Testing

/// Stand-ins at the pages of the emulator, for an app whose redirect nobody receives.
@Suite(.timeLimit(.minutes(2))) struct BrowserStandInTests {
    @Test func `a user signs in with the password of the directory`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example")

            let page = try await browser.visit(Self.request(emulator))

            #expect(page.status == nil)
            #expect(page.url.scheme == "msauth.com.contoso.app")
            #expect(Self.parameters(page)["code"] != nil)
            #expect(Self.parameters(page)["state"] == "s 1")
            #expect(browser.visits.count == 1)
        }
    }

    @Test func `a name that is not in the directory is refused with the names that are`() async throws {
        try await Self.withEmulator { emulator in
            let error = #expect(throws: BrowserStandIn.UnknownUser.self) {
                try emulator.signIn(as: "meghan@contoso.example")
            }

            #expect(error?.localizedDescription.contains("megan@contoso.example") == true)
        }
    }

    @Test func `a user who was added since the start signs in`() async throws {
        try await Self.withEmulator { emulator in
            try await emulator.addUser(
                .init(
                    id: "aaaaaaaa-0000-4000-8000-0000000000ff",
                    tenant: emulator.seed.tenantDomain,
                    userPrincipalName: "kim@contoso.example",
                    displayName: "Kim Abel",
                    password: "Another-pass1"
                )
            )

            let page = try await emulator.signIn(as: "kim@contoso.example").visit(Self.request(emulator))

            #expect(Self.parameters(page)["code"] != nil, "\(page.title)")
        }
    }

    @Test func `consent is declined`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example", choosing: .init(consent: .decline))

            let page = try await browser.visit(Self.request(emulator))

            #expect(Self.parameters(page)["error"] == "access_denied")
        }
    }

    @Test(arguments: [SignInChoices.Page.userName, .password])
    func `a person gives up at a page`(page: SignInChoices.Page) async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example", choosing: .init(givesUp: page))

            #expect(Self.parameters(try await browser.visit(Self.request(emulator)))["error"] == "access_denied")
        }
    }

    @Test func `a person who stays signed in is known at the next visit`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example", choosing: .init(staysSignedIn: true))
            try await browser.visit(Self.request(emulator))

            let silent = try await browser.visit(Self.request(emulator, adding: ["prompt": "none"]))
            let picked = try await browser.visit(Self.request(emulator, adding: ["prompt": "select_account"]))
            browser.forgetSession()
            let forgotten = try await browser.visit(Self.request(emulator, adding: ["prompt": "none"]))

            #expect(Self.parameters(silent)["code"] != nil)
            #expect(Self.parameters(picked)["code"] != nil)
            #expect(Self.parameters(forgotten)["error"] == "login_required")
        }
    }

    @Test(arguments: ["mfa@fabrikam.example", "code@fabrikam.example", "mfa-code@fabrikam.example"])
    func `codes come from the outbox`(customer: String) async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: customer)

            let page = try await browser.visit(Self.request(emulator, tenant: emulator.seed.externalTenantID))

            #expect(Self.parameters(page)["code"] != nil, "\(page.title)")
            #expect(!emulator.outbox.isEmpty)
        }
    }

    @Test func `a wrong password ends the visit with a reason`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example", choosing: .init(password: "not-this-1"))

            let request = Self.request(emulator)
            let failure = await #expect(throws: BrowserStandIn.Failure.self) { try await browser.visit(request) }

            #expect(failure?.description.contains("passwd was rejected") == true)
            #expect(failure?.description.contains("not-this-1") == false)
        }
    }

    @Test func `an administrator's page ends with the app's error`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example")

            let page = try await browser.visit(Self.request(emulator, adding: ["scope": "User.Read.All"]))

            #expect(Self.parameters(page)["error_description"]?.contains("AADSTS90094") == true)
        }
    }

    @Test func `the service's own names lead to the emulator`() async throws {
        var configuration = EmulatorConfiguration()
        configuration.stateDirectory = Self.stateDirectory.appending(path: "service")
        configuration.certifiesServiceNames = true
        try await EntraEmulatorTesting.withEmulator(configuration) { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example")
            let request = Self.request(emulator, at: "https://login.microsoftonline.com")

            #expect(Self.parameters(try await browser.visit(request))["code"] != nil)
        }
    }

    @Test(arguments: ["query", "form_post"])
    func `a visit stops at a redirect URI where nobody listens`(responseMode: String) async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example")
            let redirectURI = try #require(URL(string: "http://localhost:1"))
            let request = Self.request(
                emulator,
                redirectURI: redirectURI.absoluteString,
                adding: ["response_mode": responseMode]
            )

            let response = try await browser.visit(request, stopsAt: redirectURI)

            let code = try #require(response.parameters["code"])
            #expect(response.parameters["state"] == "s 1")
            #expect((response.form != nil) == (responseMode == "form_post"))
            #expect(response.url.port == 1)
            #expect(browser.visits.count == 1)
            var printed = "\(response) \(browser.visits)"
            dump(response, to: &printed)
            #expect(!printed.contains(code.prefix(20)))
        }
    }

    @Test func `a visit that stops hands over a refusal too`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example", choosing: .init(consent: .decline))
            let redirectURI = try #require(URL(string: "msauth.com.contoso.app://auth"))

            let response = try await browser.visit(Self.request(emulator), stopsAt: redirectURI)

            #expect(response.parameters["error"] == "access_denied")
        }
    }

    @Test func `a visit that never comes to the redirect URI fails with the page's title`() async throws {
        try await Self.withEmulator { emulator in
            let browser = try emulator.signIn(as: "megan@contoso.example")
            let elsewhere = try #require(URL(string: "https://elsewhere.example/cb"))
            let request = Self.request(emulator, redirectURI: elsewhere.absoluteString)

            let failure = await #expect(throws: BrowserStandIn.Failure.self) {
                _ = try await browser.visit(request, stopsAt: elsewhere)
            }

            #expect(failure?.description.contains("which does not lead to https://elsewhere.example/cb") == true)
        }
    }

    @Test func `choices and errors show no password and no code`() {
        let choices = SignInChoices(password: "Pa55-word!", code: "12345678")
        var dumped = "\(choices) \(String(reflecting: choices))"
        dump(choices, to: &dumped)

        #expect(!dumped.contains("Pa55-word!"))
        #expect(!dumped.contains("12345678"))
    }

    // MARK: Helpers

    private static func withEmulator(_ test: (Emulator) async throws -> Void) async throws {
        var configuration = EmulatorConfiguration()
        configuration.stateDirectory = stateDirectory
        try await EntraEmulatorTesting.withEmulator(configuration, test: test)
    }

    /// One certificate authority for all tests. It goes when the process ends.
    static let stateDirectory: URL = {
        // At the end of the process, a failure cannot be reported.
        atexit { try? FileManager.default.removeItem(at: BrowserStandInTests.stateDirectory) }
        return FileManager.default.temporaryDirectory.appending(path: "entra-emulator-testing-tests-\(getpid())")
    }()

    /// The address of an authorization request.
    static func request(
        _ emulator: Emulator,
        tenant: String? = nil,
        at base: String? = nil,
        redirectURI: String = "msauth.com.contoso.app://auth",
        adding changes: [String: String] = [:]
    ) -> URL {
        let parameters = [
            "client_id": emulator.seed.clientID, "response_type": "code", "redirect_uri": redirectURI,
            "scope": "openid profile User.Read", "state": "s 1", "code_challenge_method": "S256",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ]
        .merging(changes) { $1 }
        let path = "\(tenant ?? emulator.seed.tenantDomain)/oauth2/v2.0/authorize"
        return (base.flatMap { URL(string: $0) } ?? emulator.baseURL).appending(path: path)
            .appending(queryItems: parameters.map { URLQueryItem(name: $0, value: $1) })
    }

    static func parameters(_ page: BrowserStandIn.Page) -> [String: String] {
        let items = URLComponents(url: page.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, ($0.value ?? "").replacingOccurrences(of: "+", with: " ")) }) { $1 }
    }
}
