// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL
import Testing

@testable import MSALBase
@testable import MSALCLI

struct SettingsTests {
    private let profile = Profile(
        clientID: "of the profile",
        authority: "https://login.microsoftonline.com/profile",
        scopes: ["Profile.Read"],
        caFile: URL(filePath: "/profile.pem"),
        graphURL: "https://profile.example/"
    )
    private let environment = [
        "MSAL_CLIENT_ID": "of the environment",
        "MSAL_AUTHORITY": "https://login.microsoftonline.com/environment",
        "MSAL_SCOPES": "Environment.Read Environment.Write",
        "MSAL_CA_FILE": "/environment.pem",
        "MSAL_GRAPH_URL": "https://environment.example/",
    ]

    private func settings(
        _ arguments: [String] = [],
        scopes: [String] = [],
        _ environment: [String: String] = [:],
        _ profile: Profile = Profile()
    ) throws -> Settings {
        try Settings(ClientOptions.parse(arguments), scopes: scopes, environment: environment, profile: profile)
    }

    @Test func `a flag takes precedence over the environment`() throws {
        let arguments = [
            "--client-id", "of the flag", "--authority", "https://login.microsoftonline.com/flag",
            "--ca-file", "/flag.pem",
        ]
        let settings = try settings(arguments, scopes: ["Flag.Read"], environment, profile)

        #expect(settings.clientID == "of the flag")
        #expect(settings.authority?.url.absoluteString == "https://login.microsoftonline.com/flag")
        #expect(settings.scopes == ["Flag.Read"])
        #expect(settings.caFile?.path() == "/flag.pem")
    }

    @Test func `the default account is that of the profile and its client`() throws {
        var profile = profile
        profile.account = "megan@contoso.example"
        (profile.name, profile.accounts) = ("contoso", ["other": "alex@contoso.example"])

        let own = try settings([], [:], profile)
        let other = try settings(["--client-id", "Other"], [:], profile)
        let foreign = try settings(["--client-id", "foreign"], [:], profile)

        #expect(own.account == "megan@contoso.example")
        #expect(own.accountProfile == "contoso")
        #expect(other.account == "alex@contoso.example")
        #expect(other.accountProfile == nil)
        #expect(foreign.account == nil)
    }

    @Test func `the environment takes precedence over the profile`() throws {
        let settings = try settings([], environment, profile)

        #expect(settings.clientID == "of the environment")
        #expect(settings.authority?.url.absoluteString == "https://login.microsoftonline.com/environment")
        #expect(settings.scopes == ["Environment.Read", "Environment.Write"])
        #expect(settings.caFile?.path() == "/environment.pem")
        #expect(settings.graph?.absoluteString == "https://environment.example/")
    }

    @Test func `the profile takes precedence over the defaults`() throws {
        let settings = try settings([], ["MSAL_CLIENT_ID": "", "MSAL_SCOPES": " "], profile)

        #expect(settings.clientID == "of the profile")
        #expect(settings.authority?.url.absoluteString == "https://login.microsoftonline.com/profile")
        #expect(settings.scopes == ["Profile.Read"])
        #expect(settings.caFile?.path() == "/profile.pem")
        #expect(settings.graph?.absoluteString == "https://profile.example/")
    }

    @Test func `an unset value has a default`() throws {
        let settings = try settings(["--client-id", "app"])

        #expect(settings.authority == nil)
        #expect(settings.scopes == ["User.Read"])
        #expect(settings.caFile == nil)
        #expect(settings.graph == nil)
    }

    @Test func `a missing client ID is a usage error that says where to set it`() throws {
        let failure = try #require(throws: Failure.self) { try settings() }

        #expect(failure.status == .usage)
        #expect(failure.remedy?.contains("MSAL_CLIENT_ID") == true)
    }

    @Test(arguments: [
        "http://login.microsoftonline.com/common", "contoso.com", "https://", "https://login.microsoftonline.com",
        "https://adfs.contoso.example/adfs",
    ])
    func `an unusable authority is a usage error`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try AuthorityChoice.authority(text) }

        #expect(failure.status == .usage)
        #expect(failure.remedy?.contains("https://") == true)
    }

    @Test func `the host determines the kind of authority`() throws {
        let b2c = try AuthorityChoice.authority("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in")
        let custom = try AuthorityChoice.authority("https://id.contoso.example/tfp/contoso.onmicrosoft.com/B2C_1_in")
        let external = try AuthorityChoice.authority("https://contoso.ciamlogin.com")
        let loopback = try AuthorityChoice.authority("https://localhost:8443/contoso.example")

        #expect(b2c is MSALB2CAuthority)
        #expect(custom is MSALB2CAuthority)
        #expect(external is MSALCIAMAuthority)
        #expect(loopback is MSALAADAuthority)
    }

    @Test func `plain http is rejected for Microsoft Graph`() {
        #expect(throws: Failure.self) {
            try settings(["--client-id", "a"], ["MSAL_GRAPH_URL": "http://graph.example"])
        }
    }

    @Test func `native sign-in has a redirect from the browser`() throws {
        let settings = try settings(["--client-id", "app", "--authority", "https://contoso.ciamlogin.com"])

        let configuration = try settings.nativeConfiguration()

        #expect(configuration.redirectUri == "http://localhost")
    }

    @Test func `a redirect is chosen by flag, then by the environment, then by profile`() throws {
        func redirectURI(
            _ flags: [String],
            _ profile: Profile = Profile(),
            variable: String = ""
        ) throws -> String {
            try Settings(
                ClientOptions.parse(["--client-id", "app"]),
                scopes: [],
                redirect: RedirectOptions.parse(flags),
                environment: ["MSAL_REDIRECT_URI": variable],
                profile: profile
            ).redirectURI
        }
        let choice = try #require(
            try RedirectChoice(port: nil, uri: "http://127.0.0.1:8400/back", names: ("port", "redirect_uri"))
        )
        let profile = Profile(redirect: choice)

        #expect(try redirectURI([]) == "http://localhost")
        #expect(try redirectURI(["--port", "8400"]) == "http://localhost:8400")
        #expect(try redirectURI(["--redirect-uri", "http://localhost/a"]) == "http://localhost/a")
        #expect(try redirectURI([], profile) == "http://127.0.0.1:8400/back")
        #expect(try redirectURI(["--port", "8401"], profile) == "http://localhost:8401")
        #expect(try redirectURI([], profile, variable: "http://localhost/v") == "http://localhost/v")
    }

    @Test func `a flag that the environment would replace is an invalid setting`() throws {
        func settings(_ variable: String) throws -> Settings {
            try Settings(
                ClientOptions.parse(["--client-id", "app"]),
                scopes: [],
                redirect: RedirectOptions.parse(["--port", "8400"]),
                environment: ["MSAL_REDIRECT_URI": variable],
                profile: Profile()
            )
        }

        let failure = try #require(throws: Failure.self) { try settings("http://localhost:8401") }

        #expect(failure.status == .usage)
        #expect(failure.message.contains("http://localhost:8401"))
        #expect(failure.remedy?.contains("--port") == true)
        #expect(try settings("http://localhost:8400").redirectURI == "http://localhost:8400")
    }

    @Test(arguments: ["https://localhost:8443/contoso.example", "https://nodots/tenant"])
    func `an authority without native sign-in is reported with an alternative`(authority: String) throws {
        let settings = try settings(["--client-id", "app", "--authority", authority])

        let failure = try #require(throws: Failure.self) { try settings.nativeConfiguration() }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(authority))
        #expect(failure.remedy?.contains("https://127.0.0.1:8443/") == true)
    }

    @Test(arguments: ["com", "cn", "us", "de"])
    func `hosts of Azure AD B2C are recognized, and the client ID is the default scope there`(_ domain: String) throws {
        let authority = "https://contoso.b2clogin.\(domain)/tfp/contoso.onmicrosoft.com/B2C_1_in"
        let settings = try settings(["--client-id", "app", "--authority", authority])

        #expect(settings.knownAuthorities.map(\.url.absoluteString) == [authority])
        #expect(settings.scopes == ["app"])
        #expect(throws: Never.self) { try settings.checkAuthority() }
    }

    @Test(arguments: [
        "https://login.contoso.example/tfp/contoso.onmicrosoft.com/B2C_1_in",
        "https://b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in",
        "https://contoso.evilb2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in",
    ])
    func `a custom B2C host is configured with the flag in the remedy`(_ authority: String) throws {
        let arguments = ["--client-id", "app", "--authority", authority]

        let failure = try #require(throws: Failure.self) { try settings(arguments).checkAuthority() }

        #expect(failure.status == .usage)
        #expect(failure.remedy?.hasSuffix("--known-authority \(authority)") == true)
        #expect(throws: Never.self) {
            try settings(arguments + ["--known-authority", authority]).checkAuthority()
        }
    }
}

extension Settings {
    /// Settings of a process with this environment and this profile.
    init(
        _ options: some ClientChoice,
        scopes: [String],
        redirect: RedirectOptions? = nil,
        environment: [String: String],
        profile: Profile,
        needsClientID: Bool = true
    ) throws {
        let sources = SettingSources(options, scopes: scopes, environment: environment, profile: profile)
        try self.init(sources, redirect: redirect, needsClientID: needsClientID)
    }
}
