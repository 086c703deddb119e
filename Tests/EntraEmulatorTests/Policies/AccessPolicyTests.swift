// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Policies of conditional access, at the token endpoint and on the pages.
struct AccessPolicyTests {
    private typealias Policy = EmulatorDirectory.AccessPolicy

    private static let megan = "megan@contoso.example"
    private static let scope = "\(Seed().toDoReadScope) openid profile offline_access"
    private static let context = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    /// A refresh token of Megan's for the to-do API.
    private static func refreshToken(_ bench: Bench) async throws -> String {
        try #require(try await bench.tokens(["scope": scope])["refresh_token"] as? String)
    }

    private static func refresh(_ bench: Bench, _ token: String, claims: String? = nil) async throws -> Bench.Response {
        var form = [
            "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID, "refresh_token": token,
            "scope": scope,
        ]
        form["claims"] = claims
        return try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
    }

    // MARK: A second factor

    @Test func `a user without a method registers one, and is not asked again`() async throws {
        try await Bench.run { bench in
            let vault = ["scope": "\(bench.emulator.seed.vaultScope) openid offline_access"]
            let browser = Browser(bench)
            let asked = try await browser.signIn(bench.authorizeURL(changing: vault))
            let nonsense = try await browser.submit(["contact": "nobody", "action": "register"])
            let sent = try await browser.submit(["contact": "megan.second@contoso.example", "action": "register"])
            let message = try #require(bench.emulator.outbox.last)
            let stay = try await browser.submit(["otc": message.code, "action": "verify"])
            try await browser.submit(["action": "no"])
            let done = try await browser.submit(["action": "accept"])
            let decisions = bench.emulator.signIns.map(\.number)
            let tokens = try await bench.redeem(try #require(done.parameters["code"])).json()
            let again = try await bench.refresh(
                try #require(tokens["refresh_token"] as? String),
                scope: bench.emulator.seed.vaultScope
            )
            let elsewhere = try await Browser(bench).signIn(bench.authorizeURL(changing: vault))

            #expect(asked.heading == "More information required")
            #expect(asked.text.contains("AADSTS50079"))
            #expect(nonsense.text.contains("AADSTS901001"))
            #expect(sent.heading == "Enter code")
            #expect(message.purpose == .registration && message.recipient == "megan.second@contoso.example")
            #expect(stay.heading == "Stay signed in?")
            #expect(decisions == [50_079, nil])
            #expect(try Bench.claims(tokens["access_token"])["amr"] as? [String] == ["pwd", "mfa"])
            #expect(again.status == 200)
            #expect(elsewhere.heading == "Enter code")
        }
    }

    @Test func `a policy and a configured fault return the same error`() async throws {
        try await Bench.run {
            $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
        } _: { bench in
            let token = try await Self.refreshToken(bench)
            try await bench.emulator.changeDirectory { $0.policies.append(Policy(name: "All", grant: [.mfa])) }
            let rule = try await Self.refresh(bench, token)
            bench.emulator.enqueueFault(Fault(refusal: .secondFactorRequired))
            let fault = try await Self.refresh(bench, token)
            let members = ["error", "suberror"]

            #expect(try rule.errorCode() == 50_076)
            #expect(rule.status == 400 && fault.status == 400)
            #expect(try Set(rule.json().keys) == Set(fault.json().keys))
            for member in members {
                #expect(try rule.json()[member] as? String == fault.json()[member] as? String)
            }
        }
    }

    // MARK: Authentication contexts

    @Test func `a context is given only where a policy gives it, and only after what that wants`() async throws {
        try await Bench.run { bench in
            let token = try await Self.refreshToken(bench)
            let refused = try await Self.refresh(bench, token, claims: Self.context)
            try await bench.emulator.changeDirectory { $0.policies[0].grant = [.termsOfUse] }
            let terms = try await Browser(bench).signIn(
                bench.authorizeURL(changing: ["scope": Self.scope, "claims": Self.context])
            )
            try await bench.emulator.changeDirectory { $0.policies = [] }
            let without = try await Self.refresh(bench, token, claims: Self.context)

            #expect(try refused.errorCode() == 50_079)
            #expect(terms.heading == "Terms of use")
            #expect(without.status == 200)
            #expect(try Bench.claims(without.json()["access_token"])["acrs"] == nil)
        }
    }

    @Test func `a context that was given is kept as long as its policy is satisfied`() async throws {
        try await Bench.run {
            $0.directory.policies[0].grant = []
            $0.directory.policies[0].signInFrequency = .seconds(600)
        } _: { bench in
            let tokens = try await bench.tokens(["scope": Self.scope, "claims": Self.context])
            let token = try #require(tokens["refresh_token"] as? String)
            let kept = try await Self.refresh(bench, token).json()
            await bench.emulator.advanceClock(by: .seconds(700))
            let lost = try await Self.refresh(bench, token).json()
            let refused = try await Self.refresh(bench, token, claims: Self.context)

            #expect(try Bench.claims(tokens["access_token"])["acrs"] as? [String] == ["c1"])
            #expect(try Bench.claims(kept["access_token"])["acrs"] as? [String] == ["c1"])
            #expect(try Bench.claims(lost["access_token"])["acrs"] == nil)
            #expect(try refused.errorCode() == 70_043)
            #expect(try refused.json()["suberror"] as? String == "token_expired")
        }
    }

    // MARK: The table

    @Test(arguments: [
        (
            EmulatorDirectory.AccessPolicy.Grant.mfa, 50_079, "interaction_required", "basic_action",
            "More information required"
        ),
        (.compliantDevice, 50_097, "interaction_required", "additional_action", "You cannot access this right now"),
        (.passwordChange, 50_142, "interaction_required", "basic_action", "Update your password"),
        (.termsOfUse, 50_158, "interaction_required", "basic_action", "Terms of use"),
        (.block, 53_003, "invalid_grant", "message_only", "You cannot access this right now"),
    ])
    func `each grant has its number, error, claims and page`(
        grant: EmulatorDirectory.AccessPolicy.Grant,
        number: Int,
        error: String,
        suberror: String,
        heading: String
    ) async throws {
        try await Bench.run { bench in
            // Megan consents to Graph, which the policy is not about, and then to the to-do API.
            _ = try await bench.tokens()
            let token = try await Self.refreshToken(bench)
            let policy = Policy(name: "For to-dos", grant: [grant])
            try await bench.emulator.changeDirectory {
                var policy = policy
                policy.apps = [bench.emulator.seed.apiIdentifier]
                $0.policies.append(policy)
            }
            let refused = try await Self.refresh(bench, token)
            let graph = try await bench.refresh(token)
            let page = try await Browser(bench).signIn(bench.authorizeURL(changing: ["scope": Self.scope]))
            let last = try #require(bench.emulator.signIns.last)

            #expect(refused.status == 400)
            #expect(try refused.errorCode() == number)
            #expect(try refused.json()["error"] as? String == error)
            #expect(try refused.json()["suberror"] as? String == suberror)
            #expect(try (refused.json()["claims"] as? String)?.contains(policy.id) == true)
            #expect(graph.status == 200)
            #expect(page.heading == heading)
            #expect(last.number == number && last.user == Self.megan)
            #expect(last.outcomes.map(\.policy) == ["For to-dos"])
            #expect(last.outcomes.map(\.isSatisfied) == [false])
        }
    }

    @Test(arguments: [
        (EmulatorDirectory.AccessPolicy.Refusal.strongAuthenticationFailed, "interaction_required", "basic_action"),
        (.passwordRegistrationRequired, "interaction_required", "additional_action"),
        (.accessConditionFailed, "interaction_required", "message_only"),
        (.deviceNotCompliant, "interaction_required", "message_only"),
        (.deviceNotJoined, "interaction_required", "message_only"),
        (.blocked, "invalid_grant", "message_only"),
        (.deviceNotManaged, "interaction_required", "message_only"),
    ])
    func `a blocking policy returns the error that it names`(
        refusal: EmulatorDirectory.AccessPolicy.Refusal,
        error: String,
        suberror: String
    ) async throws {
        try await Bench.run { bench in
            let token = try await Self.refreshToken(bench)
            var policy = Policy(name: "Never", grant: [.block])
            policy.refusal = refusal
            let added = policy
            try await bench.emulator.changeDirectory { $0.policies.append(added) }
            let rule = try await Self.refresh(bench, token)
            let service = try #require(ServiceRefusal(rawValue: refusal.rawValue))
            bench.emulator.enqueueFault(Fault(refusal: service))
            let fault = try await Self.refresh(bench, token)
            let page = try await Browser(bench).signIn(bench.authorizeURL())

            #expect(try rule.errorCode() == refusal.rawValue)
            #expect(try rule.json()["error"] as? String == error)
            #expect(try rule.json()["suberror"] as? String == suberror)
            #expect(try Set(rule.json().keys) == Set(fault.json().keys))
            #expect(page.heading == "You cannot access this right now")
            #expect(page.text.contains("AADSTS\(refusal.rawValue)"))
        }
    }

    // MARK: Behind a proxy

    @Test(arguments: [
        (["127.0.0.0/8", "::1"], "10.1.2.3", true), (["127.0.0.0/8", "::1"], "203.0.113.9", false),
        // What the client itself wrote does not count, and neither does anything from an address that is not trusted.
        (["127.0.0.0/8", "::1"], "10.1.2.3, 203.0.113.9", false), ([], "10.1.2.3", false),
        (["127.0.0.0/8", "::1", "192.0.2.0/24"], "10.1.2.3, 192.0.2.4", true),
        (["127.0.0.0/8", "::1"], "10.1.2.3:4711", true), (["127.0.0.0/8", "::1"], "unknown", false),
    ])
    func `a proxy that is trusted says where the client is`(
        proxies: [String],
        forwarded: String,
        isBlocked: Bool
    ) async throws {
        try await Bench.run {
            $0.trustedProxies = proxies
        } _: { bench in
            let token = try await Self.refreshToken(bench)
            var policy = Policy(name: "Not from there", grant: [.block])
            policy.locations = .init(include: ["10.0.0.0/8"])
            let added = policy
            try await bench.emulator.changeDirectory { $0.policies.append(added) }
            let response = try await bench.send(
                .POST,
                to: "/\(Bench.tenant)/oauth2/v2.0/token",
                form: [
                    "grant_type": "refresh_token", "client_id": bench.emulator.seed.clientID, "refresh_token": token,
                    "scope": Self.scope,
                ],
                headers: ["x-forwarded-for": forwarded]
            )

            #expect((response.status == 400) == isBlocked)
        }
    }

    @Test func `a proxy without an address is refused at the start`() async throws {
        await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run {
                $0.trustedProxies = ["proxy.example"]
            } _: { _ in
            }
        }
    }

    @Test func `the terms of use are accepted once, and a new password satisfies its policy`() async throws {
        try await Bench.run {
            $0.directory.policies.append(Policy(name: "Both", grant: [.termsOfUse, .passwordChange]))
        } _: { bench in
            let browser = Browser(bench)
            let change = try await browser.signIn(bench.authorizeURL())
            let differ = try await browser.submit(["newpasswd": "Brand-new-1", "confirmnewpasswd": "Brand-new-2"])
            let weak = try await browser.submit(["newpasswd": "aaaaaaaa", "confirmnewpasswd": "aaaaaaaa"])
            let terms = try await browser.submit(["newpasswd": "Brand-new-1", "confirmnewpasswd": "Brand-new-1"])
            let declined = try await Self.declining(bench)
            let stay = try await browser.submit(["action": "accept"])
            try await browser.submit(["action": "no"])
            let done = try await browser.submit(["action": "accept"])
            let again = try await Browser(bench).signIn(bench.authorizeURL(), password: "Brand-new-1")

            #expect(change.heading == "Update your password")
            #expect(differ.text.contains("differ"))
            #expect(weak.text.contains("AADSTS399246"))
            #expect(terms.heading == "Terms of use")
            #expect(declined.parameters["error"] == "access_denied")
            #expect(stay.heading == "Stay signed in?")
            #expect(done.parameters["code"] != nil)
            #expect(again.parameters["code"] != nil)
        }
    }

    private static func declining(_ bench: Bench) async throws -> Bench.Response {
        let browser = Browser(bench)
        _ = try await browser.signIn(bench.authorizeURL(), password: "Brand-new-1")
        return try await browser.submit(["action": "cancel"])
    }

    // MARK: Whom and when

    @Test(arguments: [
        ("everybody", true), ("group", true), ("other group", false), ("excluded", false), ("other API", false),
        ("reportOnly", false), ("disabled", false), ("from here", true), ("not from here", false), ("elsewhere", false),
        ("any of two", true), ("app", true),
    ])
    func `a policy applies to the users and conditions that it names`(variant: String, holds: Bool) async throws {
        try await Bench.run { bench in
            let token = try await Self.refreshToken(bench)
            let seed = bench.emulator.seed
            var policy = Policy(name: variant, grant: [.block])
            switch variant {
            case "group": policy.users = ["marketing"]
            case "other group": policy.users = ["alex@contoso.example"]
            case "excluded": policy.exclude = ["Marketing"]
            case "other API": policy.apps = [seed.payrollAPIIdentifier]
            case "app": policy.apps = [seed.clientID]
            case "reportOnly": policy.mode = .reportOnly
            case "disabled": policy.mode = .disabled
            case "from here": policy.locations = .init(include: ["127.0.0.0/8", "::1"])
            case "not from here": policy.locations = .init(exclude: ["127.0.0.0/8", "::1"])
            case "elsewhere": policy.locations = .init(include: ["10.0.0.0/8"])
            case "any of two":
                policy.grant = [.termsOfUse, .compliantDevice]
                policy.anyOf = true
            default: break
            }
            let added = policy
            try await bench.emulator.changeDirectory { $0.policies.append(added) }
            let response = try await Self.refresh(bench, token)

            #expect((response.status == 200) == !holds)
            if variant == "reportOnly" {
                #expect(bench.emulator.signIns.last?.outcomes.first?.isSatisfied == false)
                #expect(bench.emulator.signIns.last?.number == nil)
            }
        }
    }

    @Test func `block wins over what could be given`() async throws {
        try await Bench.run { bench in
            let token = try await Self.refreshToken(bench)
            try await bench.emulator.changeDirectory {
                $0.policies += [Policy(name: "Ask", grant: [.mfa]), Policy(name: "Never", grant: [.block])]
            }

            #expect(try await Self.refresh(bench, token).errorCode() == 53_003)
        }
    }

    @Test func `an unassigned user cannot sign in, and the app gets the error`() async throws {
        try await Bench.run {
            $0.directory.applications[0].assignmentRequired = true
            $0.directory.applications[0].assignedTo = ["alex@contoso.example"]
        } _: { bench in
            let browser = Browser(bench)
            let refused = try await browser.signIn(bench.authorizeURL())
            let told = try await browser.submit(["action": "cancel"])
            let assigned = try await Browser(bench).signIn(bench.authorizeURL(), as: "alex@contoso.example")

            #expect(refused.text.contains("AADSTS50105"))
            #expect(told.parameters["error"] == "access_denied")
            #expect(told.parameters["error_description"]?.contains("AADSTS50105") == true)
            #expect(assigned.parameters["code"] != nil)
        }
    }

    @Test(arguments: ["device_code", "on_behalf_of", "password"])
    func `every grant asks the policies`(grant: String) async throws {
        try await Bench.run { bench in
            let seed = bench.emulator.seed
            var order = TestToken(user: Self.megan, api: seed.apiIdentifier)
            order.application = seed.serviceClientID
            let assertion = try await bench.emulator.accessToken(order)
            try await bench.emulator.changeDirectory { $0.policies.append(Policy(name: "Never", grant: [.block])) }
            switch grant {
            case "device_code":
                let begun = try await bench.send(
                    .POST,
                    to: "/\(Bench.tenant)/oauth2/v2.0/devicecode",
                    form: ["client_id": seed.clientID, "scope": "User.Read"]
                ).json()
                let browser = Browser(bench)
                try await browser.open("/devicelogin")
                try await browser.submit(["otc": try #require(begun["user_code"] as? String)])
                try await browser.submit(["login": Self.megan, "action": "next"])
                let page = try await browser.submit(["passwd": seed.password, "action": "signin"])
                #expect(page.text.contains("AADSTS53003"))
            case "on_behalf_of":
                let form = [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "requested_token_use": "on_behalf_of", "assertion": assertion,
                    "client_id": String(seed.apiIdentifier.dropFirst("api://".count)),
                    "client_secret": seed.serviceSecret, "scope": "https://graph.microsoft.com/User.Read",
                ]
                let response = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
                #expect(try response.errorCode() == 53_003)
            default:
                let form = [
                    "grant_type": "password", "client_id": seed.clientID, "username": Self.megan,
                    "password": seed.password, "scope": "User.Read",
                ]
                let response = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form)
                #expect(try response.errorCode() == 53_003)
            }
        }
    }

    // MARK: States

    @Test(arguments: ["locked", "expired", "mustChange"])
    func `people of every tenant have a state`(state: String) async throws {
        try await Bench.run {
            switch state {
            case "locked": $0.directory.users[0].isLocked = true
            case "expired": $0.directory.users[0].passwordState = .expired
            default: $0.directory.users[0].passwordState = .mustChange
            }
        } _: { bench in
            let browser = Browser(bench)
            let page = try await browser.signIn(bench.authorizeURL())
            if state == "locked" {
                #expect(page.text.contains("AADSTS50053"))
            } else {
                #expect(page.heading == "Update your password")
                try await browser.submit(["newpasswd": "Brand-new-1", "confirmnewpasswd": "Brand-new-1"])
                try await browser.submit(["action": "no"])
                let done = try await browser.submit(["action": "accept"])
                #expect(done.parameters["code"] != nil)
            }
        }
    }

    // MARK: Control

    @Test func `the control API changes policies, and lists what they decided`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let token = try await Self.refreshToken(bench)
            let added = try await control.call(.POST, "/policies", ["name": "Never", "grant": ["block"]])
            let refused = try await Self.refresh(bench, token)
            let changed = try await control.call(.PATCH, "/policies/Never", ["mode": "reportOnly"])
            let allowed = try await Self.refresh(bench, token)
            let wrong = try await control.call(.POST, "/policies", ["name": "Odd", "grant": ["fingerprint"]])
            let list = try await control.call(.GET, "/signins").json()
            let last = try #require((list["signins"] as? [[String: Any]])?.last)

            #expect(added.status == 201)
            #expect(try refused.errorCode() == 53_003)
            #expect(changed.status == 200)
            #expect(allowed.status == 200)
            #expect(wrong.status == 400)
            #expect(wrong.text.contains("mfa, compliantDevice, passwordChange, termsOfUse, block"))
            #expect(last["user"] as? String == Self.megan)
            #expect((last["policies"] as? [[String: Any]])?.first?["mode"] as? String == "reportOnly")
        }
    }

    @Test func `an API asks for claims until a token has them`() async throws {
        try await Bench.run({
            $0.controlPort = 0
            $0.directory.policies[0].grant = []
            $0.directory.policies[0].signInFrequency = .seconds(600)
        }) { bench in
            let control = try ControlPort(bench)
            let capable = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#
            let tokens = try await bench.tokens(["claims": capable])
            let before = try await bench.get("/v1.0/me", token: tokens["access_token"] as? String)
            let asked = try await control.call(.POST, "/challenge", ["user": Self.megan, "claims": Self.context])
            let challenge = try await bench.get("/v1.0/me", token: tokens["access_token"] as? String)
            let both = #"{"access_token":{"acrs":{"essential":true,"value":"c1"},"xms_cc":{"values":["cp1"]}}}"#
            let answer = try await bench.tokens(["claims": both])
            let after = try await bench.get("/v1.0/me", token: answer["access_token"] as? String)
            let wrong = try await control.call(.POST, "/challenge", ["user": Self.megan, "claims": "{}"])
            let header = try #require(challenge.headers.first(name: "www-authenticate"))

            #expect(before.status == 200)
            #expect(asked.status == 200)
            #expect(challenge.status == 401)
            #expect(header.contains("insufficient_claims"))
            #expect(header.contains(Data(Self.context.utf8).base64EncodedString()))
            #expect(after.status == 200)
            #expect(wrong.status == 400)
        }
    }
}
