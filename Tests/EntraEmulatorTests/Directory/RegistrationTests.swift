// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The settings of a registration: what they change in sign-ins and tokens, in a directory file and in Microsoft Graph.
struct RegistrationTests {
    private static let client = Seed().clientID

    private static func run(
        _ change: (inout EmulatorDirectory.Application) -> Void,
        _ body: (Bench) async throws -> Void
    ) async throws {
        try await Bench.run({ change(&$0.directory.applications[0]) }, body)
    }

    // MARK: Supported accounts

    @Test(
        arguments: [
            ("AzureADMyOrg", "common", 50_194), ("AzureADMyOrg", "organizations", 50_194),
            ("AzureADMyOrg", "contoso.example", nil), ("AzureADMyOrg", "fabrikam.example", 700_016),
            ("AzureADMultipleOrgs", "common", nil), ("AzureADMultipleOrgs", "consumers", 700_016),
            ("PersonalMicrosoftAccount", "contoso.example", 9_002_331), ("PersonalMicrosoftAccount", "consumers", nil),
            ("AzureADandPersonalMicrosoftAccount", "common", nil),
        ] as [(String, String, Int?)]
    )
    func `the supported accounts decide which authorities an application may use`(
        audience: String,
        tenant: String,
        number: Int?
    ) async throws {
        let audience = try #require(EmulatorDirectory.Application.SignInAudience(rawValue: audience))
        try await Self.run({ $0.signInAudience = audience }) { bench in
            let page = try await bench.get(bench.authorizeURL(tenant: tenant))
            let device = try await bench.send(
                .POST,
                to: "/\(tenant)/oauth2/v2.0/devicecode",
                form: ["client_id": Self.client, "scope": "User.Read"]
            )

            #expect(page.heading == (number == nil ? "Sign in" : "Sorry, but we’re having trouble signing you in"))
            #expect(try device.errorCode() == number)
            if let number { #expect(page.text.contains("AADSTS\(number)")) }
        }
    }

    @Test func `a personal account cannot sign in to an application of organizations`() async throws {
        try await Self.run({ $0.signInAudience = .allOrganizations }) { bench in
            let refused = try await Browser(bench).signIn(
                bench.authorizeURL(tenant: "common"),
                as: "dana@personal.example"
            )

            #expect(refused.parameters["code"] == nil && refused.text.contains("AADSTS50020"))
        }
    }

    // MARK: Implicit and hybrid flows

    @Test(
        arguments: [
            ("id_token", false, false, "700054"), ("code id_token", false, true, "700054"),
            ("token", true, false, "700051"), ("id_token", true, false, nil), ("token", false, true, nil),
            ("id_token token", true, true, nil),
        ] as [(String, Bool, Bool, String?)]
    )
    func `the authorization endpoint issues the tokens that the registration enables`(
        type: String,
        issuesIDTokens: Bool,
        issuesAccessTokens: Bool,
        number: String?
    ) async throws {
        try await Self.run {
            $0.issuesIDTokens = issuesIDTokens
            $0.issuesAccessTokens = issuesAccessTokens
        } _: { bench in
            let changes: [String: String?] = [
                "response_type": type, "response_mode": "fragment", "code_challenge": nil, "code_challenge_method": nil,
            ]
            let result = try await Browser(bench).signIn(bench.authorizeURL(changing: changes)).parameters

            if let number {
                #expect(result["error"] == "unsupported_response_type")
                #expect(result["error_description"]?.contains("AADSTS\(number)") == true)
                #expect(bench.emulator.journal.contains { $0.remark?.contains("Issuance: true") == true })
            } else {
                let names = type.split(separator: " ")
                #expect((result["access_token"] != nil) == names.contains("token"))
                #expect((result["id_token"] != nil) == names.contains("id_token"))
                #expect(result["token_type"] == (result["access_token"] == nil ? nil : "Bearer"))
            }
        }
    }

    @Test func `a web application without the switch is warned about, with the line to add`() throws {
        let text = """
            tenants: [{domain: a.example}]
            applications: [{clientId: shop, type: web, redirectUris: ['https://shop.example/auth']}]
            """
        let stated = text.replacing("type: web", with: "type: web, enableIdTokenIssuance: false")

        #expect(try EmulatorDirectory(text: text).warnings.first?.contains("add 'enableIdTokenIssuance: true'") == true)
        #expect(try EmulatorDirectory(text: stated).warnings.isEmpty)
        #expect(EmulatorDirectory.seed.warnings.isEmpty)
    }

    // MARK: Groups and optional claims

    @Test(
        arguments: [
            (nil, false, false), (.disabled, false, false), (.securityGroups, true, false),
            (.directoryRoles, false, true),
            (.all, true, true),
        ] as [(EmulatorDirectory.Application.MembershipClaims?, Bool, Bool)]
    )
    func `the registration decides whether tokens have groups and directory roles`(
        setting: EmulatorDirectory.Application.MembershipClaims?,
        hasGroups: Bool,
        hasRoles: Bool
    ) async throws {
        try await Self.run({ $0.membershipClaims = setting }) { bench in
            let claims = try Bench.claims(try await bench.tokens()["id_token"])

            #expect((claims["groups"] != nil) == hasGroups)
            #expect((claims["wids"] != nil) == hasRoles)
        }
    }

    @Test func `six groups are too many for a token in an address`() async throws {
        try await Bench.run {
            $0.directory.applications[0].membershipClaims = .securityGroups
            $0.directory.groups = (1...6).map { number in
                let id = "dddddddd-0000-4000-8000-00000000000\(number)"
                return .init(id: id, tenant: Bench.tenant, displayName: id, members: ["megan@contoso.example"])
            }
        } _: { bench in
            let result = try await Browser(bench).signIn(
                bench.authorizeURL(changing: ["response_type": "code id_token"])
            )
            let short = try Bench.claims(result.parameters["id_token"])
            let whole = try Bench.claims(
                try await bench.redeem(try #require(result.parameters["code"])).json()["id_token"]
            )

            #expect(short["hasgroups"] as? Bool == true && short["groups"] == nil)
            #expect((whole["groups"] as? [String])?.count == 6 && whole["hasgroups"] == nil)
        }
    }

    @Test func `optional claims have the values of the user, the tenant, and the request`() async throws {
        let name = "extension_\(Self.client.filter { $0 != "-" })_skypeId"
        try await Bench.run {
            $0.directory.tenants[0].country = "DE"
            $0.directory.users[0].attributes = ["country": "fr", name: "megan.skype"]
            $0.directory.applications[0].extensionProperties = ["skypeId"]
            $0.directory.applications[0].optionalClaims = [
                "ctry", "tenant_ctry", "ipaddr", "xms_pl", "email", "xms_edov", "verified_primary_email", "fwd",
                .init(name),
            ]
        } _: { bench in
            let claims = try Bench.claims(try await bench.tokens()["id_token"])

            #expect(claims["ctry"] as? String == "FR" && claims["tenant_ctry"] as? String == "DE")
            #expect(["127.0.0.1", "::1"].contains(claims["ipaddr"] as? String))
            #expect(claims["xms_pl"] as? String == "en-us" && claims["xms_edov"] as? Bool == true)
            #expect(claims["verified_primary_email"] as? [String] == ["megan@contoso.example"])
            #expect(claims["extn.skypeId"] as? [String] == ["megan.skype"] && claims["fwd"] == nil)
        }
    }

    @Test func `the subject of an access token is the API's, and userinfo has the client's`() async throws {
        try await Bench.run { bench in
            let one = try await bench.tokens(["scope": "\(bench.emulator.seed.toDoReadScope) openid"])
            let other = try await bench.tokens()
            let access = try Bench.claims(one["access_token"])
            let idTokens = try (Bench.claims(one["id_token"]), Bench.claims(other["id_token"]))
            let graph = try #require(other["access_token"] as? String)
            let info = try await bench.get("/oidc/userinfo", token: graph).json()

            #expect(access["sub"] as? String != idTokens.0["sub"] as? String)
            #expect(info["sub"] as? String == idTokens.1["sub"] as? String)
        }
    }

    // MARK: Microsoft Graph

    @Test func `Microsoft Graph and the directory file share the settings`() async throws {
        try await GraphBench.run { graph in
            let path = "/applications(appId='\(Self.client)')"
            let body = #"""
                {"signInAudience": "AzureADMyOrg", "groupMembershipClaims": "All", "isFallbackPublicClient": false,
                 "web": {"logoutUrl": "https://a.example/out",
                         "implicitGrantSettings": {"enableIdTokenIssuance": true, "enableAccessTokenIssuance": true}},
                 "optionalClaims": {"idToken": [{"name": "upn", "additionalProperties":
                                                 ["include_externally_authenticated_upn"]}]}}
                """#
            let changed = try await graph.send(.PATCH, path, body)
            let shown = try await graph.send(.GET, path).json()
            let file = try await graph.bench.emulator.directory().text()
            let again = try await graph.bench.emulator.directory().applications[0]

            #expect(changed.status == 204, "\(changed.text)")
            #expect(shown["signInAudience"] as? String == "AzureADMyOrg")
            #expect(shown["groupMembershipClaims"] as? String == "All")
            let web = try #require(shown["web"] as? [String: Any])
            #expect(
                web["implicitGrantSettings"] as? [String: Bool] == [
                    "enableIdTokenIssuance": true, "enableAccessTokenIssuance": true,
                ]
            )
            #expect(web["logoutUrl"] as? String == "https://a.example/out")
            let claims = try #require(shown["optionalClaims"] as? [String: [[String: Any]]])
            #expect(claims["idToken"]?.first?["name"] as? String == "upn" && claims["accessToken"]?.isEmpty == true)
            #expect(file.contains("enableAccessTokenIssuance: true") && file.contains("groupMembershipClaims: All"))
            #expect(again.signInAudience == .ownOrganization && again.membershipClaims == .all)
        }
    }

    @Test(
        arguments: [
            #"{"signInAudience": "Everyone"}"#, #"{"signInAudience": 1}"#, #"{"groupMembershipClaims": ["All"]}"#,
            #"{"web": {"implicitGrantSettings": {"enableIdTokenIssuance": "yes"}}}"#,
            #"{"optionalClaims": {"idToken": [{"name": "nickname"}]}}"#,
            #"{"optionalClaims": {"idToken": [{"name": "upn", "additionalProperties": ["use_guid"]}]}}"#,
            #"{"optionalClaims": {"idToken": "upn"}}"#, #"{"spa": {"redirectUris": [1]}}"#,
        ]
    )
    func `an invalid setting is rejected, and nothing changes`(body: String) async throws {
        try await GraphBench.run { graph in
            let before = try await graph.bench.emulator.directory().applications[0]
            let response = try await graph.send(.PATCH, "/applications(appId='\(Self.client)')", body)

            #expect(response.status == 400, "\(response.text)")
            #expect(try GraphBench.code(response) == "Request_BadRequest")
            #expect(try await graph.bench.emulator.directory().applications[0] == before)
        }
    }

    @Test func `a secret does not fit a single-page application`() async throws {
        try await GraphBench.run { graph in
            let id = try await graph.create(
                "/applications",
                #"{"displayName": "Page", "spa": {"redirectUris": ["https://a.example"]}}"#
            )
            _ = try await graph.send(.POST, "/applications/\(id)/addPassword", "{}")
            let entry = try #require(try await graph.bench.emulator.directory().applications.last)
            let text = "tenants: [{domain: a.example}]\napplications: [{clientId: a, type: singlePage, secrets: [one]}]"

            #expect(entry.signInAudience == .ownOrganization && entry.servicePrincipals == [])
            #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(text: text) }
        }
    }

    @Test func `an application gets tokens as itself after it has a service principal`() async throws {
        try await GraphBench.run { graph in
            let id = try await graph.create("/applications", #"{"displayName": "Job"}"#)
            let key = try await graph.send(.POST, "/applications/\(id)/addPassword", "{}").json()
            let app = try await graph.send(.GET, "/applications/\(id)").json()
            let form = [
                "grant_type": "client_credentials", "client_id": try #require(app["appId"] as? String),
                "client_secret": try #require(key["secretText"] as? String),
                "scope": "https://graph.microsoft.com/.default",
            ]
            func request(_ tenant: String = Bench.tenant) async throws -> Bench.Response {
                try await graph.bench.send(.POST, to: "/\(tenant)/oauth2/v2.0/token", form: form)
            }
            let refused = try await request()
            let principal = try await graph.create("/servicePrincipals", #"{"appId": "\#(form["client_id"] ?? "")"}"#)
            let granted = try await request()
            let elsewhere = try await request("fabrikam.example")
            let removed = try await graph.send(.DELETE, "/servicePrincipals/\(principal)")

            #expect(refused.status == 401)
            #expect(try refused.errorCode() == 7_000_229)
            #expect(granted.status == 200, "\(granted.text)")
            #expect(try elsewhere.errorCode() == 700_016)
            #expect(removed.status == 204)
            #expect(try await request().errorCode() == 7_000_229)
        }
    }

    @Test func `a directory extension is defined, set, read, and removed`() async throws {
        try await GraphBench.run { graph in
            let app = try #require(
                try await graph.send(.GET, "/applications(appId='\(Self.client)')").json()["id"] as? String
            )
            let path = "/applications/\(app)/extensionProperties"
            let body = #"{"name": "skypeId", "dataType": "String", "targetObjects": ["User"]}"#
            let made = try await graph.send(.POST, path, body).json()
            let name = try #require(made["name"] as? String)
            let set = try await graph.send(.PATCH, "/users/megan@contoso.example", #"{"\#(name)": "megan.skype"}"#)
            let other = try await graph.send(.PATCH, "/users/megan@contoso.example", #"{"\#(name)x": "1"}"#)
            let user = try await graph.send(.GET, "/users/megan@contoso.example?$select=\(name)").json()
            let listed = try await graph.values("name", at: path)
            let removed = try await graph.send(.DELETE, "\(path)/\(made["id"] as? String ?? "")")

            #expect(name == "extension_\(Self.client.filter { $0 != "-" })_skypeId" && listed == [name])
            #expect(set.status == 204 && other.status == 501, "\(set.text)")
            #expect(user[name] as? String == "megan.skype")
            #expect(removed.status == 204)
            #expect(try await graph.values("name", at: path).isEmpty)
        }
    }
}
