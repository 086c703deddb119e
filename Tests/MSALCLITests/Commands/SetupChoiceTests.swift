// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore
import TestSupport
import Testing

@testable import MSALCLI

/// What a setup asks for, creates and writes.
struct SetupChoiceTests {
    private static let clientID = "00000000-0000-4000-8000-000000000001"

    @Test(arguments: [
        ("contoso.com", "https://login.microsoftonline.com/contoso.com"),
        ("https://contoso.ciamlogin.com/contoso", "https://contoso.ciamlogin.com/contoso"),
    ])
    func `a tenant is an id, a domain or a URL`(tenant: String, authority: String) throws {
        #expect(try SetupChoice.authority(tenant: tenant) == authority)
    }

    @Test(arguments: ["", "a b", "a/b", "http://login.example/a", "https://"])
    func `other text is not a tenant`(tenant: String) {
        #expect(throws: Failure.self) { try SetupChoice.authority(tenant: tenant) }
    }

    @Test(
        arguments: [
            (nil, SetupChoice.serviceHost, nil), ("https://localhost:8443", "https://localhost:8443", nil),
            ("https://localhost:8443/", "https://localhost:8443", nil),
            (
                "https://localhost:8443/contoso.example", "https://localhost:8443",
                "https://localhost:8443/contoso.example"
            ),
        ] as [(String?, String, String?)]
    )
    func `an authority in the environment has a host, and possibly a tenant`(
        text: String?,
        host: String,
        authority: String?
    ) throws {
        let place = try SetupAuthority(text)

        #expect(place.host == host && place.authority == authority)
    }

    @Test(arguments: ["", "x", "00000000-0000-4000-8000-00000000000"])
    func `a typed application ID is accepted in each spelling`(text: String) throws {
        #expect(throws: Failure.self) { try SetupChoice.clientID(text) }
        #expect(try SetupChoice.clientID(Self.clientID) == Self.clientID)
    }

    @Test(arguments: [("app-1", true), ("app 1", false), ("", false), ("a\u{301}", false)])
    func `an app of an emulator may have any id without spaces`(text: String, isTaken: Bool) {
        let id = try? SetupChoice.clientID(text, at: "https://localhost:8443/contoso.example")

        #expect(id == (isTaken ? text : nil))
        #expect((try? SetupChoice.clientID(text, at: "https://localhost.contoso.example/t")) == nil)
    }

    @Test(
        arguments: [
            (nil, "https://entra.microsoft.com/"), ("login.microsoftonline.us", "https://entra.microsoft.us/"),
            ("login.chinacloudapi.cn", "https://entra.microsoftonline.cn/"),
            ("localhost", "https://entra.microsoft.com/"),
        ] as [(String?, String)]
    )
    func `the portal is that of the cloud`(host: String?, portal: String) {
        #expect(CommandRegistration.portal(authorityHost: host).hasPrefix(portal))
    }

    @Test func `a registration is a public client of one tenant, and nothing else`() throws {
        let json = CommandRegistration(name: "a \"b\"").json
        let members = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])

        #expect(
            Set(members.keys) == ["displayName", "signInAudience", "publicClient", "requiredResourceAccess"]
        )
        #expect(members["displayName"] as? String == "a \"b\"")
        #expect(members["signInAudience"] as? String == "AzureADMyOrg")
        #expect(members["publicClient"] as? [String: [String]] == ["redirectUris": CommandRegistration.redirectURIs])
        let access = members["requiredResourceAccess"] as? [[String: Any]]
        #expect(access?.count == 1 && (access?.first?["resourceAccess"] as? [[String: String]])?.count == 1)
    }

    @Test func `an app is registered with the token at Microsoft Graph, and an error has a message`() async throws {
        let graph = try ScriptedGraph(
            .json(#"{"appId": "\#(Self.clientID)"}"#, status: 201, to: "https://graph.example/v1.0/applications"),
            .json(#"{"error": {"code": "Authorization_RequestDenied", "message": "Insufficient."}}"#, status: 403),
            .json(#"{"error": {"message": "Busy."}}"#, status: 400),
            .json("<html>", status: 403),
            .json("<html>", status: 201),
            .json("{}", status: 201)
        )
        let request = RegistrationRequest(sender: graph.sender, registration: CommandRegistration())

        #expect(try await request.clientID() == Self.clientID)
        let refused = await #expect(throws: Failure.self) { _ = try await request.clientID() }
        var others: [String?] = []
        for _ in 0..<4 {
            others.append(await #expect(throws: Failure.self) { _ = try await request.clientID() }?.remedy)
        }

        #expect(refused?.message.contains("Insufficient.") == true)
        let byHand = "To register the app by hand, follow the steps of: msal setup"
        #expect(refused?.remedy == "The token needs Application.ReadWrite.All. \(byHand)")
        // A page is not about the token.
        let look = "Check for the app in the portal."
        #expect(others == [byHand, byHand, look, look])
        #expect(graph.transport.messages.first?.body == Data(CommandRegistration().json.utf8))
    }

    @Test(arguments: ["", "\n", "a b", "a\nb", "é", String(repeating: "a", count: 70_000)])
    func `text that is not a token is neither sent nor shown`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try RegistrationToken.check(text, from: "Standard input") }

        #expect(
            ["Standard input contains no token.", "Standard input has a character"].contains {
                failure.message.hasPrefix($0)
            }
        )
        #expect(!failure.message.contains("é") && failure.remedy?.contains("az account") == true)
        #expect(try RegistrationToken.check(" a.b \n", from: "").exposed == "a.b")
        #expect(try RegistrationToken.check("a.b\r\n", from: "").exposed == "a.b")
    }

    @Test func `a profile is written in one step, next to the existing ones`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/config.yaml"
        let before = """
            default_profile: old
            profiles:
              old:
                client_id: 00000000-0000-4000-8000-000000000009
                account: megan@contoso.example  # mine
                port: 8400

            """
        try before.write(toFile: path, atomically: true, encoding: .utf8)
        var file = try ConfigFile(environment: ["MSAL_CONFIG": path])
        let choice = SetupChoice(
            profile: "new",
            clientID: Self.clientID,
            authority: "https://login.microsoftonline.com/contoso.com"
        )
        try choice.write(scopes: ["User.Read"], graph: nil, to: &file)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let written = try ProfileFile(text: text, path: path)

        #expect(written.defaultProfile == "new")
        #expect(written.profiles["new"]?.clientID == Self.clientID && written.profiles["new"]?.scopes == ["User.Read"])
        #expect(text.contains("account: megan@contoso.example  # mine"))

        // A replacement keeps nothing of another client.
        var old = choice
        old.profile = "old"
        try old.write(scopes: [], graph: nil, to: &file)
        let replaced = try ProfileFile(path: path).profiles["old"]
        #expect(replaced?.clientID == Self.clientID && replaced?.account == nil && replaced?.redirect == nil)
    }

    @Test func `only the chosen settings are used`() throws {
        let choice = SetupChoice(
            profile: "new",
            clientID: Self.clientID,
            authority: "https://login.microsoftonline.us/a"
        )
        let settings = try choice.settings(scopes: [], graph: "https://graph.microsoft.us/")

        #expect(settings.clientID == Self.clientID && settings.accountProfile == "new")
        #expect(settings.redirectURI == RedirectChoice.defaultURI && settings.chosenScopes.isEmpty)
        #expect(settings.authority?.url.host() == "login.microsoftonline.us")
        #expect(settings.graph?.host() == "graph.microsoft.us")
    }
}
