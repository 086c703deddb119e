// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The forms of entry, links and answers, of which a client has to take each.
struct FlowFormTests {
    static let user = "password@fabrikam.example"

    // MARK: The entry

    @Test(arguments: NativeAuthV2Settings.EntryNames.allCases, NativeAuthV2Settings.Status.allCases)
    func `the entry has a token and three links`(
        names: NativeAuthV2Settings.EntryNames,
        status: NativeAuthV2Settings.Status
    ) async throws {
        try await FlowApp.run(
            with: {
                $0.entryNames = names
                $0.entryStatus = status
            }
        ) { app in
            let entry = try await app.enter()
            let relations =
                names == .snake ? ["sign_in", "sign_up", "reset_password"] : ["signIn", "signUp", "resetPassword"]
            let asked = try await app.follow(relations[0], of: entry, adding: ["username": Self.user])
            let body = try entry.json()

            #expect(entry.status == status.rawValue)
            #expect(body["error"] as? String == "InsufficientAuthorization")
            #expect((body["continuation_token"] != nil) == (names == .snake))
            #expect((body["_links"] != nil) == (names == .hal))
            for relation in relations { #expect(try entry.link(relation).contains("/api/v2.0/f/")) }
            #expect(try asked.action() == "verify")
        }
    }

    @Test func `the entry refuses clients in the form of OAuth`() async throws {
        try await FlowApp.run { app in
            func refusal(_ clientID: String, tenant: String? = nil) async throws -> Refusal {
                var app = app
                app.clientID = clientID
                app.tenant = tenant ?? app.tenant
                return try await app.enter().refusal()
            }
            let seed = app.emulator.seed

            let switchedOff = try await refusal(seed.browserOnlyClientID)
            let noCustomers = try await refusal(seed.clientID, tenant: "contoso")
            let unknown = try await refusal("00000000-0000-4000-8000-00000000dead")
            let none = try await refusal("")

            #expect(switchedOff.error == "invalid_client")
            #expect(noCustomers.error == "invalid_client")
            #expect(unknown == Refusal("unauthorized_client", number: 700_016))
            #expect(none == Refusal("invalid_request", number: 90_100))
        }
    }

    @Test func `V2 can be disabled globally and for an application`() async throws {
        try await FlowApp.run { app in
            var other = app
            other.clientID = app.emulator.seed.codeClientID
            try await app.emulator.changeDirectory { directory in
                var off = NativeAuthV2Settings()
                off.isEnabled = false
                directory.applications[0].nativeAuthentication?.v2 = off
            }
            let off = try await app.enter()
            let on = try await other.enter()
            try await app.emulator.changeNativeAuth { $0.v2.isEnabled = false }
            let everybody = try await other.enter()

            #expect(try off.refusal().error == "invalid_client")
            #expect(on.status == 401)
            #expect(try everybody.refusal().error == "invalid_client")
        }
    }

    // MARK: Links

    @Test(arguments: NativeAuthV2Settings.LinkStyle.allCases)
    func `links of each style lead to tokens`(style: NativeAuthV2Settings.LinkStyle) async throws {
        try await FlowApp.run(with: { $0.linkStyle = style }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let link = try asked.link("verify")
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let tokens = try await app.tokens(done)

            let beginning =
                switch style {
                case .relative: "/fabrikam.onmicrosoft.com/api/v2.0/f/"
                case .relativeTenantID: "/22222222-2222-2222-2222-222222222222/api/v2.0/f/"
                case .template: "/{tenant}/api/v2.0/f/"
                case .absolute: app.bench.base + "/fabrikam.onmicrosoft.com/api/v2.0/f/"
                }
            #expect(link.hasPrefix(beginning))
            #expect(link.wholeMatch(of: /.*\/auth\/methods\/password\/[0-9a-f-]{36}\/verify/) != nil)
            #expect(tokens["access_token"] is String)
        }
    }

    @Test func `the addresses of two flows differ, and neither can be guessed`() async throws {
        try await FlowApp.run { app in
            let first = try await app.enter().link("sign_in").split(separator: "/")
            let second = try await app.enter().link("sign_in").split(separator: "/")

            #expect(first[4] != second[4])
            // 16 bytes in base64url.
            #expect(first[4].count == 22)
            #expect(first[5...] == second[5...])
        }
    }

    @Test func `a link can lead elsewhere, for tests of what a client refuses`() async throws {
        let address = "https://login.attacker.example/api/v2.0/auth/methods/password/verify"
        try await FlowApp.run(with: { $0.hostileLink = .init(relation: .verify, address: address) }) { app in
            let asked = try await app.start("sign_in", as: Self.user)

            #expect(try asked.link("verify") == address)
        }
    }

    @Test func `the last response can have no link`() async throws {
        try await FlowApp.run(with: { $0.continueLink = false }) { app in
            let done = try await app.signIn(Self.user)
            let resumed = try await app.bench.send(
                .POST,
                to: app.authority + "/oauth2/v2.0/authorize-challenge",
                form: ["continuation_token": done.flowToken()]
            )

            #expect(try done.json()["_links"] == nil)
            #expect(try resumed.json()["code"] is String)
        }
    }

    // MARK: Answers

    @Test(arguments: NativeAuthV2Settings.TokenName.allCases)
    func `the token has one name or both`(name: NativeAuthV2Settings.TokenName) async throws {
        try await FlowApp.run(with: { $0.tokenName = name }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])
            let body = try asked.json()

            #expect((body["continuationToken"] != nil) == (name != .snake))
            #expect((body["continuation_token"] != nil) == (name != .camel))
            #expect(try done.state() == "continue")
        }
    }

    @Test func `a response that requires more steps can have status 401`() async throws {
        try await FlowApp.run(with: { $0.interactionStatus = .unauthorized }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let done = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(asked.status == 401)
            #expect(try asked.action() == "verify")
            #expect(done.status == 200)
        }
    }

    @Test func `numbers can be strings, and there can be unknown members`() async throws {
        try await FlowApp.run(
            with: {
                $0.numbersAsText = true
                $0.unknownMembers = true
                $0.extraMethods = true
            }
        ) { app in
            let entry = try await app.enter()
            let offered = try await app.follow("sign_in", of: entry, adding: ["username": "code@fabrikam.example"])
            let sent = try await app.follow("challenge", of: offered, method: "email")

            #expect(try entry.json()["ring"] != nil)
            #expect(try offered.types() == ["email", "carrierPigeon"])
            #expect(try sent.json()["codeLength"] as? String == "8")
            #expect(try sent.json()["ring"] != nil)
            #expect((try sent.json()["_links"] as? [String: Any])?["help"] != nil)
        }
    }

    // MARK: Errors

    @Test func `an error can have the form of OAuth, or the older name of the correlation ID`() async throws {
        try await FlowApp.run(with: { $0.errorForm = .flat }) { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let wrong = try await app.follow("verify", of: asked, adding: ["password": "no"])
            let unknown = try await app.start("sign_in", as: "nobody@fabrikam.example")
            try await app.emulator.changeNativeAuth {
                $0.v2.errorForm = .object
                $0.v2.correlationName = .snake
            }
            let named = try await app.follow("verify", of: asked, adding: ["password": "no"])
            let error = try #require(try named.json()["error"] as? [String: Any])

            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_126))
            #expect(try unknown.refusal() == Refusal("user_not_found", number: 50_034))
            #expect(error["correlation_id"] is String)
            #expect(error["correlationId"] == nil)
        }
    }

    @Test func `an error has the correlation ID of its request`() async throws {
        try await FlowApp.run { app in
            let asked = try await app.start("sign_in", as: Self.user)
            let id = UUID().uuidString.lowercased()
            let wrong = try await app.bench.send(
                .POST,
                to: asked.link("verify"),
                headers: ["content-type": "application/json", "client-request-id": id],
                body: #"{"continuationToken":"\#(asked.flowToken())","password":"no"}"#
            )
            let error = try #require(try wrong.json()["error"] as? [String: Any])

            #expect(error["correlationId"] as? String == id)
            #expect(!wrong.text.contains(try asked.flowToken()))
        }
    }

    // MARK: The browser

    @Test(
        arguments: [NativeAuthV2Settings.Fallback.state, .error, .suberror, .inner],
        NativeAuthV2Settings.FallbackStep.allCases
    )
    func `an app is sent to the browser, in each form and at each step`(
        form: NativeAuthV2Settings.Fallback,
        step: NativeAuthV2Settings.FallbackStep
    ) async throws {
        try await FlowApp.run(
            with: {
                $0.fallback = form
                $0.fallbackStep = step
            }
        ) { app in
            var response = try await app.start("sign_in", as: Self.user)
            if step != .start {
                response = try await app.follow("verify", of: response, adding: ["password": FlowApp.password])
            }
            if step == .atResume { response = try await app.resume(response) }
            let body = try response.json()
            let error = body["error"] as? [String: Any]

            switch form {
            case .off: Issue.record("this form is none")
            case .state:
                #expect(response.status == 200)
                #expect(try response.state() == "webFallbackRequired")
            case .error: #expect(error?["code"] as? String == "redirect_to_web")
            case .suberror:
                #expect(body["error"] as? String == "invalid_grant")
                #expect(body["suberror"] as? String == "web_redirect_required")
            case .inner:
                #expect(error?["code"] as? String == "invalidGrant")
                #expect((error?["innerError"] as? [String: Any])?["code"] as? String == "webRedirectRequired")
            }
        }
    }

    @Test func `the browser is needed for a customer, for an application, and in a sign-up`() async throws {
        try await FlowApp.run { app in
            let byCustomer = try await app.start("sign_in", as: "web@fabrikam.example")
            let social = try await app.start("sign_in", as: "social@fabrikam.example")
            let reset = try await app.start("reset_password", as: "web@fabrikam.example")
            try await app.emulator.changeDirectory { directory in
                var branches = NativeAuthV2Settings()
                branches.fallback = .state
                branches.fallbackStep = .afterFirst
                directory.applications[0].nativeAuthentication?.v2 = branches
            }
            let user = "new@customer.example"
            let signUp = try await app.prove(app.start("sign_up", as: user), by: "email", to: user)

            for response in [byCustomer, social, reset, signUp] {
                #expect(try response.state() == "webFallbackRequired")
            }
        }
    }

    @Test func `a customer's branch overrides the application's, which overrides the global one`() async throws {
        try await FlowApp.run(with: { $0.tokenName = .both }) { app in
            func names() async throws -> Set<String> {
                let body = try await app.start("sign_in", as: Self.user).json()
                return Set(body.keys).intersection(["continuationToken", "continuation_token"])
            }
            let everybody = try await names()
            try await app.emulator.changeDirectory { directory in
                var branches = NativeAuthV2Settings()
                branches.tokenName = .snake
                directory.applications[0].nativeAuthentication?.v2 = branches
            }
            let application = try await names()
            try await app.emulator.changeCustomer(Self.user) { profile in
                var branches = NativeAuthV2Settings()
                branches.tokenName = .camel
                profile.v2 = branches
            }
            let customer = try await names()

            #expect(everybody.count == 2)
            #expect(application == ["continuation_token"])
            #expect(customer == ["continuationToken"])
        }
    }
}
