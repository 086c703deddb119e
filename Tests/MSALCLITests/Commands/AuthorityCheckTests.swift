// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALBase
import TestSupport
import Testing

@testable import MSALCLI
@testable import MSALCore

/// The findings of `msal doctor` about the authority.
struct AuthorityCheckTests {
    private static let portal = "<!doctype html><title>Hotel Wi-Fi: sign in</title>"
    private static let b2c = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in"

    private func settings(_ authority: String? = nil, scopes: [String] = []) throws -> Settings {
        let arguments = ["--client-id", "app"] + (authority.map { ["--authority", $0] } ?? [])
        return try Settings(ClientOptions.parse(arguments), scopes: scopes, environment: [:], profile: Profile())
    }

    /// The checks of a service that `transport` simulates.
    private func checks(_ settings: Settings, _ transport: ScriptedTransport) async -> [Check] {
        let findings = await MSALServiceCheckup(
            settings.configuration(),
            scopes: settings.scopes,
            transport: transport,
            time: SystemTime()
        )
        return Checkup.checks(findings, settings: settings)
    }

    /// The metadata of an authority below `base`.
    private func metadata(_ base: String, keys: String? = nil) -> String {
        """
        {"issuer": "\(base)/v2.0", "authorization_endpoint": "\(base)/oauth2/v2.0/authorize", \
        "token_endpoint": "\(base)/oauth2/v2.0/token", "jwks_uri": "\(keys ?? "\(base)/keys")"}
        """
    }

    private let keys = """
        {"keys": [{"kty": "RSA", "use": "sig", "kid": "k", "n": "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4\
        Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8\
        exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNh\
        ZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw", "e": "AQAB"}]}
        """

    private func redirect(_ error: String, _ description: String) -> ScriptedTransport.Response {
        ScriptedTransport.Response("redirect", to: { $0.url.absoluteString.contains("/authorize?") }) { _ in
            var query = FormBody()
            query.set("error", to: error)
            query.set("error_description", to: description)
            return HTTPResponse(status: 302, headers: ["Location": "http://localhost?" + query.query])
        }
    }

    private func page(_ text: String, status: Int = 200) -> ScriptedTransport.Response {
        .json(text, status: status, to: "/authorize?")
    }

    /// The checks of a B2C authority with valid metadata and keys.
    private func checks(_ page: ScriptedTransport.Response, scopes: [String] = []) async throws -> [Check] {
        let transport = ScriptedTransport(
            .json(metadata(Self.b2c), to: "openid-configuration"),
            .json(keys, to: "/keys"),
            page
        )
        let checks = await checks(try settings(Self.b2c, scopes: scopes), transport)
        try transport.verify()
        return checks
    }

    @Test func `a login page with status 200 is not an authority`() async throws {
        for authority in [nil, Self.b2c, "https://contoso.ciamlogin.com"] {
            let transport = ScriptedTransport(.json(Self.portal), .json(Self.portal))

            let checks = await checks(try settings(authority), transport)

            let check = try #require(checks.first)
            let host = authority.flatMap { URL(string: $0)?.host() } ?? "login.microsoftonline.com"
            #expect(checks.count == 1)
            #expect(!check.isGood && check.status == .network)
            #expect(check.finding.contains(host))
            #expect(check.remedy == Checkup.portalRemedy)
        }
    }

    @Test func `the host that failed is named, even if it is not the authority's`() async throws {
        let keysHost = "https://keys.contoso.example/keys"
        let transport = ScriptedTransport(
            .json(metadata(Self.b2c, keys: keysHost), to: "openid-configuration"),
            .failure(.cannotFindHost, to: "keys.contoso.example"),
            redirect("login_required", "AADB2C90077: Nobody is signed in.")
        )

        let checks = await checks(try settings(Self.b2c), transport)

        #expect(checks.map(\.isGood) == [true, false, true])
        #expect(checks[1].finding.contains("keys.contoso.example"))
        #expect(checks[1].status == .network)
    }

    @Test func `everything that a sign-in needs is requested from the authority`() async throws {
        let checks = try await checks(redirect("login_required", "AADB2C90077: Nobody is signed in."))

        #expect(checks.map(\.name) == ["authority", "signing keys", "sign-in page"])
        #expect(checks.allSatisfy { $0.isGood }, "\(checks)")
    }

    @Test func `without a client ID the rest is requested from the authority`() async throws {
        let options = try ClientOptions.parse(["--authority", Self.b2c])
        let settings = try Settings(options, scopes: [], environment: [:], profile: Profile(), needsClientID: false)
        let transport = ScriptedTransport(
            .json(metadata(Self.b2c), to: "openid-configuration"),
            .json(keys, to: "/keys")
        )

        let checks = await checks(settings, transport)

        try transport.verify()
        #expect(checks.map(\.name) == ["authority", "signing keys"])
        #expect(checks.allSatisfy { $0.isGood }, "\(checks)")
        let missing = Checkup.settings(settings)
        #expect(!missing.isGood && missing.status == .usage)
        #expect(missing.remedy?.contains("https://entra.microsoft.com") == true)
    }

    @Test func `a redirect URI that is not registered is reported with the URI to register`() async throws {
        let shown = try await checks(page("<p>AADB2C90006: The redirect URI 'http://localhost' is not registered.</p>"))
        let check = try #require(shown.first { !$0.isGood })

        #expect(check.name == "sign-in page")
        #expect(check.finding.contains("AADB2C90006"))
        #expect(check.remedy?.contains("redirect URI http://localhost to the registration of the app app") == true)
    }

    @Test(arguments: [(50_011, "http://localhost"), (700_016, "--client-id")])
    func `an error page is reported with its code and the remedy`(_ code: Int, _ remedy: String) async throws {
        let check = try #require(try await checks(page("<p>AADSTS\(code): …</p>", status: 400)).first { !$0.isGood })

        #expect(check.finding.contains("AADSTS\(code)"))
        #expect(check.remedy?.contains(remedy) == true)
        #expect(check.status == .failed)
    }

    @Test func `scopes that the service does not issue are reported`() async throws {
        let refusal = redirect("invalid_scope", "AADSTS70011: The scope is not valid.\r\nTrace ID: 1")

        let check = try #require(try await checks(refusal).first { !$0.isGood })

        #expect(check.finding == "AADSTS70011: The scope is not valid.")
        #expect(check.remedy?.contains("--scope") == true)
    }

    @Test func `an unknown B2C host is reported with the flag that makes it known`() async throws {
        let own = "https://id.contoso.example/tfp/contoso.onmicrosoft.com/B2C_1_in"

        let checks = await Checkup.service(try settings(own))

        #expect(checks.map(\.status) == [.usage])
        #expect(checks.first?.remedy?.contains("--known-authority \(own)") == true)
    }

    @Test func `a tenant that does not exist is an invalid setting`() async throws {
        let refusal = """
            {"error": "invalid_tenant", "error_description": "AADSTS90002: Tenant 'x' not found.", "error_codes": [90002]}
            """
        let transport = ScriptedTransport(.json(refusal, status: 400))

        let checks = await checks(try settings("https://contoso.ciamlogin.com"), transport)

        #expect(checks.map(\.status) == [.usage])
        #expect(checks.first?.finding == "contoso.ciamlogin.com: AADSTS90002: Tenant 'x' not found.")
        #expect(checks.first?.remedy?.contains("tenant in --authority") == true)
    }
}

/// What is on the terminal while the browser shows the service's page.
struct BrowserHintTests {
    /// The output after a browser was started, or could not be.
    private func shown(_ hasStarted: Bool, opensBrowser: Bool = true, link: String) throws -> String {
        let pipe = Pipe()
        let wait = BrowserWait(
            "to sign in",
            opensBrowser: opensBrowser,
            terminal: Terminal(descriptor: pipe.fileHandleForWriting.fileDescriptor),
            environment: ["MSAL_LINK": link]
        )
        wait.opened(try #require(URL(string: "https://login.microsoftonline.com/common")))
        wait.launched(hasStarted)
        try pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `the link is omitted if the browser is known to show the page`() throws {
        let address = "https://login.microsoftonline.com/common"

        #expect(try shown(true, link: "no") == "Waiting for the browser…\n")
        #expect(try shown(true, link: "").contains(address))
        // Otherwise only the link leads to the page.
        #expect(try shown(false, link: "no").contains(address))
        #expect(try shown(true, opensBrowser: false, link: "no").contains(address))
    }

    @Test func `the redirect URI to register is named only after the user cancels`() throws {
        let options = try ClientOptions.parse(["--client-id", "app"])
        let settings = try Settings(options, scopes: [], environment: [:], profile: Profile())
        let pipe = Pipe()
        let wait = BrowserWait(
            "to sign in",
            hint: RemedyContext(settings: settings).unregisteredHint,
            terminal: Terminal(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        )

        #expect(wait.hint == nil)
        wait.opened(try #require(URL(string: "https://login.microsoftonline.com/common")))
        wait.launched(true)
        try pipe.fileHandleForWriting.close()

        let shown = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!shown.contains("AADSTS50011"))
        #expect(
            wait.hint
                == "If the page says AADSTS50011: Add the redirect URI http://localhost to the registration of the app app, "
                + "under Mobile and desktop applications."
        )
    }
}
