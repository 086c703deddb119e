// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// What confidential clients get: tokens in their own name, on behalf of a user, and from a code.
struct ConfidentialGrantTests {
    private static let seed = Seed()
    private static let service = [
        "client_id": seed.serviceClientID, "client_secret": seed.serviceSecret,
    ]
    private static let toDoAPI = "00000000-0000-4000-8000-0000000000a1"
    private static let middleTier = ["client_id": toDoAPI, "client_secret": seed.serviceSecret]

    private func token(
        _ bench: Bench,
        _ client: [String: String],
        _ form: [String: String],
        path: String = "/\(Bench.tenant)/oauth2/v2.0/token"
    ) async throws -> Bench.Response {
        try await bench.send(.POST, to: path, form: client.merging(form) { $1 })
    }

    // MARK: Client credentials

    @Test func `an application's token has its roles and no user`() async throws {
        try await Bench.run { bench in
            let form = ["grant_type": "client_credentials", "scope": "\(Self.seed.apiIdentifier)/.default"]
            let body = try await token(bench, Self.service, form).json()
            let claims = try Bench.claims(body["access_token"])

            #expect(Set(body.keys) == ["token_type", "expires_in", "ext_expires_in", "access_token"])
            #expect(claims["ver"] as? String == "2.0")
            #expect(claims["aud"] as? String == Self.toDoAPI)
            #expect(claims["azp"] as? String == Self.seed.serviceClientID)
            #expect(claims["azpacr"] as? String == "1")
            #expect(claims["roles"] as? [String] == ["ToDoList.Read.All"])
            #expect(claims["oid"] as? String == claims["sub"] as? String)
            #expect(claims["scp"] == nil && claims["name"] == nil && claims["preferred_username"] == nil)
            #expect(claims["iss"] as? String == "\(bench.base)/\(Bench.tenant)/v2.0")
        }
    }

    @Test func `an application may request OpenID Connect scopes, but gets no ID token`() async throws {
        try await Bench.run { bench in
            let scope = "\(Self.seed.apiIdentifier)/.default openid offline_access profile"
            let body = try await token(bench, Self.service, ["grant_type": "client_credentials", "scope": scope]).json()

            #expect(Set(body.keys) == ["token_type", "expires_in", "ext_expires_in", "access_token"])
        }
    }

    @Test(
        arguments: [
            "499b84ac-1321-427f-aa17-267ca6975798", "6dae42f8-4368-4678-94ff-3960e28e3630",
            "https://containerregistry.azure.net", "https://vault.azure.net", "https://storage.azure.com",
            "https://database.windows.net/", "https://outlook.office365.com",
        ]
    )
    func `the initial directory contains the cloud's resources`(resource: String) async throws {
        try await Bench.run { bench in
            let scope = ["grant_type": "client_credentials", "scope": "\(resource)/.default"]
            let named = try Bench.claims(try await token(bench, Self.service, scope).json()["access_token"])
            let form = ["grant_type": "client_credentials", "resource": resource]
            let older = try await token(bench, Self.service, form, path: "/\(Bench.tenant)/oauth2/token")

            #expect(named["aud"] as? String == resource)
            #expect(try Bench.claims(older.json()["access_token"])["aud"] as? String == resource)
        }
    }

    @Test(arguments: ["499b84ac-1321-427f-aa17-267ca6975798", "https://containerregistry.azure.net"])
    func `a credential helper gets its token without another page`(resource: String) async throws {
        try await Bench.run { bench in
            let tokens = try await bench.tokens()
            let refreshed = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "refresh_token", "client_id": Self.seed.clientID, "scope": "\(resource)/.default",
                    "refresh_token": try #require(tokens["refresh_token"] as? String),
                ]
            )

            #expect(try Bench.claims(refreshed.json()["access_token"])["scp"] as? String == "user_impersonation")
        }
    }

    @Test func `a resource declared in one line is sufficient for a sign-in`() async throws {
        try await Bench.run({ $0.directory.resources.append("https://search.azure.com/") }) { bench in
            let address = bench.authorizeURL(changing: ["scope": "https://search.azure.com/.default offline_access"])
            let code = try await Browser(bench).signIn(address).parameters["code"]
            let tokens = try await bench.redeem(try #require(code)).json()
            let claims = try Bench.claims(tokens["access_token"])

            #expect(claims["aud"] as? String == "https://search.azure.com")
            #expect(claims["scp"] as? String == "user_impersonation")
        }
    }

    @Test(arguments: ["https://graph.microsoft.com", "https://management.core.windows.net/"])
    func `a token of version 1 names the API as the client did`(resource: String) async throws {
        try await Bench.run { bench in
            let form = ["grant_type": "client_credentials", "scope": "\(resource)/.default"]
            let claims = try Bench.claims(try await token(bench, Self.service, form).json()["access_token"])

            #expect(claims["ver"] as? String == "1.0")
            #expect(claims["aud"] as? String == resource)
            #expect(claims["iss"] as? String == "https://sts.windows.net/\(Bench.tenant)/")
            #expect(claims["appid"] as? String == Self.seed.serviceClientID)
        }
    }

    @Test(
        arguments: [
            ("User.Read", Bench.tenant, 1_002_012), ("https://graph.microsoft.com/User.Read", Bench.tenant, 1_002_012),
            ("https://graph.microsoft.com/.default api://nowhere/.default", Bench.tenant, 1_002_012),
            ("openid profile", Bench.tenant, 1_002_012),
            ("api://nowhere/.default", Bench.tenant, 500_011), ("", Bench.tenant, 900_144),
            ("https://graph.microsoft.com/.default", "common", 50_059),
            ("https://graph.microsoft.com/.default", "nowhere", 90_002),
        ]
    )
    func `a wrong scope or tenant is refused`(scope: String, tenant: String, number: Int) async throws {
        try await Bench.run { bench in
            let refused = try await token(
                bench,
                Self.service,
                ["grant_type": "client_credentials", "scope": scope],
                path: "/\(tenant)/oauth2/v2.0/token"
            )

            #expect(try refused.errorCode() == number)
        }
    }

    @Test func `the version 1 endpoint accepts a resource and returns numbers as strings`() async throws {
        try await Bench.run { bench in
            let body = try await token(
                bench,
                Self.service,
                ["grant_type": "client_credentials", "resource": "https://management.azure.com/"],
                path: "/\(Bench.tenant)/OAuth2/Token"
            ).json()

            #expect(body["resource"] as? String == "https://management.azure.com/")
            #expect(body["expires_in"] as? String == "3599")
            #expect((body["expires_on"] as? String).flatMap(Int.init) != nil)
            #expect(try Bench.claims(body["access_token"])["aud"] as? String == "https://management.azure.com/")
        }
    }

    // MARK: Codes

    @Test func `a web application signs in without PKCE and redeems with its secret`() async throws {
        try await Bench.run { bench in
            let redirect = "http://localhost:5000/auth"
            func code() async throws -> String {
                let address = bench.authorizeURL(changing: [
                    "client_id": Self.seed.serviceClientID, "redirect_uri": redirect, "code_challenge": nil,
                    "code_challenge_method": nil,
                ])
                return try #require(try await Browser(bench).signIn(address).parameters["code"])
            }
            let form = ["grant_type": "authorization_code", "redirect_uri": redirect]

            let body = try await token(bench, Self.service, form.merging(["code": try await code()]) { $1 }).json()
            #expect(try Bench.claims(body["access_token"])["appidacr"] as? String == "1")

            let unauthenticated = try await token(
                bench,
                ["client_id": Self.seed.serviceClientID],
                form.merging(["code": try await code()]) { $1 }
            )
            #expect(try unauthenticated.errorCode() == 7_000_218)

            let stripped = form.merging(["code": try await code(), "code_verifier": Bench.verifier]) { $1 }
            #expect(try await token(bench, Self.service, stripped).errorCode() == 501_481)

            let refresh = [
                "grant_type": "refresh_token", "refresh_token": try #require(body["refresh_token"] as? String),
            ]
            #expect(try await token(bench, Self.service, refresh).status == 200)
            let withoutSecret = try await token(bench, ["client_id": Self.seed.serviceClientID], refresh)
            #expect(try withoutSecret.errorCode() == 7_000_218)
        }
    }

    // MARK: On behalf of

    private func userToken(_ bench: Bench) async throws -> String {
        let tokens = try await bench.tokens(["scope": "\(Self.seed.toDoReadScope) openid"])
        return try #require(tokens["access_token"] as? String)
    }

    private static func exchange(_ assertion: String, scope: String) -> [String: String] {
        [
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "requested_token_use": "on_behalf_of",
            "assertion": assertion, "scope": scope,
        ]
    }

    @Test func `an API exchanges its user's token for one of another API`() async throws {
        try await Bench.run { bench in
            let incoming = try await userToken(bench)
            let form = Self.exchange(incoming, scope: "https://graph.microsoft.com/User.Read offline_access")
            let body = try await token(bench, Self.middleTier, form).json()
            let claims = try Bench.claims(body["access_token"])
            let me = try await bench.get("/v1.0/me", token: body["access_token"] as? String)

            #expect(claims["appid"] as? String == Self.toDoAPI)
            #expect(claims["oid"] as? String == Self.seed.megan.objectID)
            #expect(body["refresh_token"] != nil)
            #expect(me.status == 200)
        }
    }

    @Test func `only a user's token for the API itself is exchanged`() async throws {
        try await Bench.run { bench in
            let scope = "https://graph.microsoft.com/User.Read"
            let graph = try #require(try await bench.tokens()["access_token"] as? String)
            let idToken = try #require(try await bench.tokens()["id_token"] as? String)
            let ownName = ["grant_type": "client_credentials", "scope": "\(Self.seed.apiIdentifier)/.default"]
            let application = try await token(bench, Self.service, ownName).json()["access_token"] as? String
            let good = try await userToken(bench)

            for (assertion, number) in [
                (graph, 50_013), (idToken, 50_013), ("nonsense", 50_013),
                (String(good.dropLast(8)) + "AAAAAAAA", 50_013),
                (try #require(application), 7_000_114),
            ] {
                let refused = try await token(bench, Self.middleTier, Self.exchange(assertion, scope: scope))
                #expect(try refused.errorCode() == number)
            }
            #expect(
                try await token(bench, Self.service, Self.exchange(good, scope: scope)).errorCode() == 50_013
            )
            #expect(
                try await token(bench, ["client_id": Self.toDoAPI], Self.exchange(good, scope: scope)).errorCode()
                    == 7_000_218
            )
        }
    }

    @Test func `additional requirements on the user are returned as claims`() async throws {
        try await Bench.run {
            let index = $0.directory.applications.firstIndex { $0.clientID == Self.toDoAPI }
            $0.directory.applications[index ?? 0].grantedScopes[Self.seed.vaultAPIIdentifier] = ["Vault.Open"]
        } _: { bench in
            let good = try await userToken(bench)
            let mfa = try await token(bench, Self.middleTier, Self.exchange(good, scope: Self.seed.vaultScope)).json()
            let consent = try await token(bench, Self.middleTier, Self.exchange(good, scope: Self.seed.payrollScope))

            #expect(mfa["error"] as? String == "interaction_required")
            #expect(mfa["suberror"] as? String == "basic_action")
            #expect((mfa["claims"] as? String)?.contains("capolids") == true)
            #expect(try consent.errorCode() == 65_001)
        }
    }

    @Test func `a user with a second factor is not asked for another`() async throws {
        try await Bench.run {
            $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
            $0.directory.users[0].requiresSecondFactor = true
            let index = $0.directory.applications.firstIndex { $0.clientID == Self.toDoAPI }
            $0.directory.applications[index ?? 0].grantedScopes[Self.seed.vaultAPIIdentifier] = ["Vault.Open"]
        } _: { bench in
            let browser = Browser(bench)
            let scope = ["scope": "\(Self.seed.toDoReadScope) openid"]
            _ = try await browser.signIn(bench.authorizeURL(changing: scope))
            try await browser.submit(["otc": try #require(bench.emulator.newestCode(for: "+15550177"))])
            try await browser.submit(["action": "no"])
            let code = try await browser.submit(["action": "accept"]).parameters["code"]
            let incoming = try await bench.redeem(try #require(code)).json()["access_token"] as? String
            let form = Self.exchange(try #require(incoming), scope: Self.seed.vaultScope)

            #expect(try await token(bench, Self.middleTier, form).status == 200)
        }
    }

    @Test func `a token from before the end of the sign-ins is not exchanged`() async throws {
        try await Bench.run {
            $0.directory.applications[0].grantedScopes = [Self.seed.apiIdentifier: ["*"]]
        } _: { bench in
            let scope = ["scope": "\(Self.seed.toDoReadScope) openid"]
            let incoming = try await token(bench, [:], Self.password.merging(scope) { $1 }).json()["access_token"]
            let form = Self.exchange(try #require(incoming as? String), scope: "https://graph.microsoft.com/User.Read")
            let before = try await token(bench, Self.middleTier, form)
            await bench.emulator.advanceClock(by: .seconds(5))
            try await bench.emulator.revokeSignIns(of: "megan@contoso.example")
            let after = try await token(bench, Self.middleTier, form)
            let capabilities = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
            let capable = try await token(bench, Self.middleTier, form.merging(["claims": capabilities]) { $1 }).json()

            #expect(before.status == 200)
            #expect(try after.errorCode() == 50_173)
            #expect(try after.json()["claims"] == nil)
            #expect((capable["claims"] as? String)?.contains("nbf") == true)
        }
    }

    // MARK: Passwords

    private static let password = [
        "grant_type": "password", "client_id": seed.clientID, "username": "megan@contoso.example",
        "password": seed.password, "scope": "openid profile offline_access User.Read",
    ]

    @Test func `a tenant that allows it accepts a name and a password`() async throws {
        try await Bench.run {
            $0.directory.applications[0].grantedScopes = ["https://graph.microsoft.com": ["User.Read"]]
        } _: { bench in
            let body = try await token(bench, [:], Self.password).json()

            #expect(try Bench.claims(body["id_token"])["oid"] as? String == Self.seed.megan.objectID)
            #expect(body["refresh_token"] != nil)
        }
    }

    @Test(
        arguments: [
            (["password": "wrong"], Bench.tenant, 50_126),
            (["username": "nobody@contoso.example"], Bench.tenant, 50_034),
            (["username": nil], Bench.tenant, 900_144), ([:], "common", 9_001_023), ([:], Bench.tenant, 65_001),
            (["client_id": seed.serviceClientID], Bench.tenant, 7_000_218),
            (["username": "dana@personal.example"], Bench.tenant, 50_020),
        ] as [([String: String?], String, Int)]
    )
    func `an impossible password sign-in is rejected`(
        changes: [String: String?],
        tenant: String,
        number: Int
    ) async throws {
        try await Bench.run { bench in
            var form = Self.password
            for (name, value) in changes { form[name] = value }
            let refused = try await token(bench, [:], form, path: "/\(tenant)/oauth2/v2.0/token")

            #expect(try refused.errorCode() == number)
            #expect(!refused.text.contains(Self.seed.password))
        }
    }

    @Test func `the error for a foreign user names the tenant as in the request`() async throws {
        try await Bench.run { bench in
            let form = Self.password.merging(["username": "dana@personal.example"]) { $1 }
            let refused = try await token(bench, [:], form, path: "/contoso.example/oauth2/v2.0/token")

            #expect(refused.text.contains("does not exist in tenant 'contoso.example' and"))
        }
    }

    @Test func `a tenant that forbids passwords says so`() async throws {
        try await Bench.run {
            $0.directory.tenants[0].allowsPasswordGrant = false
        } _: { bench in
            let refused = try await token(bench, [:], Self.password)

            #expect(try refused.errorCode() == 53_003)
        }
    }

    // MARK: Claims

    @Test func `groups, roles and optional claims are those of the registrations`() async throws {
        try await Bench.run {
            $0.directory.applications[0].optionalClaims = ["groups", "upn", "acct"]
            let index = $0.directory.apis.firstIndex { $0.audience == Self.toDoAPI }
            $0.directory.apis[index ?? 0].optionalClaims = [
                "email", .init("idtyp", additionalProperties: ["include_user_token"]),
            ]
            $0.directory.apis[index ?? 0].roles.append(.init(value: "Marketing", members: ["marketing"]))
        } _: { bench in
            let tokens = try await bench.tokens(["scope": "\(Self.seed.toDoReadScope) openid profile"])
            let access = try Bench.claims(tokens["access_token"])
            let idToken = try Bench.claims(tokens["id_token"])

            #expect((idToken["groups"] as? [String])?.count == 2)
            #expect(idToken["upn"] as? String == "megan@contoso.example")
            #expect(idToken["acct"] as? Int == 0)
            #expect(access["email"] as? String == "megan@contoso.example")
            #expect(access["idtyp"] as? String == "user")
            #expect(access["roles"] as? [String] == ["Marketing"])
        }
    }

    @Test(arguments: [200, 201])
    func `a token with more than 200 groups contains a link instead of them`(count: Int) async throws {
        try await Bench.run {
            $0.directory.applications[0].optionalClaims = ["groups"]
            $0.directory.groups = (1...count).map { number in
                .init(
                    id: "dddddddd-0000-4000-8000-\(String(format: "%012d", number))",
                    tenant: Bench.tenant,
                    displayName: "Group \(number)",
                    members: ["megan@contoso.example"]
                )
            }
        } _: { bench in
            let tokens = try await bench.tokens()
            let claims = try Bench.claims(tokens["id_token"])
            let names = claims["_claim_names"] as? [String: String]
            let sources = claims["_claim_sources"] as? [String: [String: String]]
            let id = try #require(claims["oid"] as? String)

            #expect((claims["groups"] as? [String])?.count == (count == 200 ? 200 : nil))
            #expect(names == (count == 200 ? nil : ["groups": "src1"]))
            #expect(
                sources?["src1"]?["endpoint"]
                    == (count == 200 ? nil : "\(bench.base)/v1.0/users/\(id)/getMemberObjects")
            )
            guard let address = sources?["src1"]?["endpoint"] else { return }
            let token = try #require(tokens["access_token"] as? String)
            let headers = ["authorization": "Bearer \(token)"]
            let groups = try await bench.send(.POST, to: address, headers: headers, body: "{}")
            #expect(try (groups.json()["value"] as? [String])?.count == count)
        }
    }

    @Test func `the version of an API's tokens is its registration's, not the endpoint's`() async throws {
        try await Bench.run {
            let index = $0.directory.apis.firstIndex { $0.audience == Self.toDoAPI }
            $0.directory.apis[index ?? 0].acceptedTokenVersion = 1
        } _: { bench in
            let tokens = try await bench.tokens(["scope": "\(Self.seed.toDoReadScope) openid"])
            let claims = try Bench.claims(tokens["access_token"])
            let list = try await bench.get("/api/todos", token: tokens["access_token"] as? String)

            #expect(claims["ver"] as? String == "1.0")
            #expect(claims["aud"] as? String == Self.seed.apiIdentifier)
            #expect(claims["unique_name"] as? String == "megan@contoso.example")
            #expect(list.status == 200)
        }
    }
}
