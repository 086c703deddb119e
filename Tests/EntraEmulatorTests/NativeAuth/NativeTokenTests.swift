// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// After the sign-in: tokens for several APIs, rotation, and policies in a refresh.
struct NativeTokenTests {
    static let user = "password@fabrikam.example"

    @Test func `one sign-in gives a token for each of two APIs, and each API takes its own`() async throws {
        try await NativeApp.run { app in
            let seed = app.emulator.seed
            let secondScope = "\(seed.secondAPIIdentifier)/ToDoList.Read"
            let signedIn = try await app.signIn(Self.user).json()
            let first = try await app.refresh(signedIn["refresh_token"], scope: seed.toDoReadScope).json()
            let second = try await app.refresh(first["refresh_token"], scope: secondScope).json()
            var statuses: [Int] = []
            for (path, body) in [
                ("/api/todos", first), ("/api2/todos", second), ("/api/todos", second), ("/api2/todos", first),
            ] {
                statuses.append(try await app.bench.get(path, token: body["access_token"] as? String).status)
            }

            #expect(first["scope"] as? String == seed.toDoReadScope)
            #expect(second["scope"] as? String == secondScope)
            #expect(statuses == [200, 200, 401, 401])
        }
    }

    @Test func `scopes of an API can be asked for at once`() async throws {
        try await NativeApp.run { app in
            let seed = app.emulator.seed
            let response = try await app.signIn(Self.user, scope: "\(seed.toDoReadScope) openid profile offline_access")

            #expect(try response.json()["scope"] as? String == seed.toDoReadScope)
        }
    }

    @Test func `claims of the next sign-in are those of the next native sign-in, in V1 and V2`() async throws {
        var setting = EmulatorDirectory.TokenClaims(["department": "Sales"], user: Self.user)
        setting.isOnce = true
        try await NativeApp.run { app in
            try await app.emulator.setClaims(setting)
            let shaped = try await app.signIn(Self.user).json()
            let next = try await app.signIn(Self.user).json()

            #expect(try Bench.claims(shaped["id_token"])["department"] as? String == "Sales")
            #expect(try Bench.claims(next["id_token"])["department"] == nil)
        }
        try await FlowApp.run { app in
            try await app.emulator.setClaims(setting)
            let shaped = try await app.tokens(app.signIn(Self.user))
            let next = try await app.tokens(app.signIn(Self.user))

            #expect(try Bench.claims(shaped["id_token"])["department"] as? String == "Sales")
            #expect(try Bench.claims(next["id_token"])["department"] == nil)
        }
    }

    @Test(arguments: ["nonsense", "api://unknown/Read", "two"])
    func `bad scopes have one number`(scope: String) async throws {
        try await NativeApp.run { app in
            let seed = app.emulator.seed
            let two = "\(seed.toDoReadScope) \(seed.secondAPIIdentifier)/ToDoList.Read"
            let response = try await app.signIn(Self.user, scope: scope == "two" ? two : scope)

            #expect(try response.refusal() == Refusal("invalid_scope", number: 70_011))
        }
    }

    @Test func `an API without consent, and one that needs a second factor`() async throws {
        try await NativeApp.run { app in
            let seed = app.emulator.seed
            let signedIn = try await app.signIn(Self.user).json()
            let payroll = try await app.refresh(signedIn["refresh_token"], scope: seed.payrollScope)
            let vault = try await app.refresh(signedIn["refresh_token"], scope: seed.vaultScope)
            let direct = try await app.signIn(Self.user, scope: seed.payrollScope)
            let still = try await app.refresh(signedIn["refresh_token"], scope: seed.toDoReadScope)

            #expect(try payroll.refusal() == Refusal("invalid_grant", number: 65_001, suberror: "consent_required"))
            #expect(try vault.refusal() == Refusal("invalid_grant", number: 50_079))
            #expect(try direct.refusal() == Refusal("invalid_grant", number: 65_001, suberror: "consent_required"))
            #expect(still.status == 200)
        }
    }

    @Test(arguments: [
        (EmulatorDirectory.AccessPolicy.Grant.block, 53_003), (.mfa, 50_079), (.termsOfUse, 50_158),
    ])
    func `a policy decides over sign-ins and refreshes`(
        grant: EmulatorDirectory.AccessPolicy.Grant,
        number: Int
    ) async throws {
        try await NativeApp.run { app in
            let before = try await app.signIn(Self.user).json()
            try await app.emulator.changeDirectory { $0.policies.append(.init(name: "All", grant: [grant])) }
            let signIn = try await app.signIn(Self.user)
            let refresh = try await app.refresh(before["refresh_token"], scope: "")

            #expect(try refresh.errorCode() == number)
            if grant == .termsOfUse {
                #expect(try signIn.json()["challenge_type"] as? String == "redirect")
            } else {
                #expect(try signIn.errorCode() == number)
            }
            #expect(app.emulator.signIns.last?.outcomes.map(\.policy) == ["All"])
        }
    }

    @Test func `with a second factor in the sign-in a refresh may open the vault`() async throws {
        try await NativeApp.run { app in
            let needed = try await app.signIn("mfa@fabrikam.example").token()
            let sent = try await app.challenge("oauth2/v2.0/challenge", token: needed).token()
            let body = try await app.redeem(
                "mfa_oob",
                token: sent,
                adding: ["oob": app.code("mfa-second@fabrikam.example")]
            ).json()
            let vault = try await app.refresh(body["refresh_token"], scope: app.emulator.seed.vaultScope)

            #expect(vault.status == 200)
        }
    }

    @Test(arguments: [nil, false, true] as [Bool?])
    func `an External ID tenant rotates strictly, unless it is told not to`(setting: Bool?) async throws {
        try await NativeApp.run({ $0.strictRotation = setting }) { app in
            let first = try await app.signIn(Self.user).json()
            let second = try await app.refresh(first["refresh_token"], scope: "").json()
            let reused = try await app.refresh(first["refresh_token"], scope: "")
            let after = try await app.refresh(second["refresh_token"], scope: "")

            if setting == false {
                #expect(reused.status == 200)
                #expect(after.status == 200)
            } else {
                #expect(try reused.refusal() == Refusal("invalid_grant", number: 50_173, suberror: "bad_token"))
                #expect(try after.refusal() == Refusal("invalid_grant", number: 50_173, suberror: "bad_token"))
            }
        }
    }

    @Test func `what happens to the account is met in the next refresh`() async throws {
        try await NativeApp.run { app in
            let first = try await app.signIn(Self.user).json()
            try await app.emulator.changeCustomer(Self.user) { $0.passwordState = .mustChange }
            let change = try await app.refresh(first["refresh_token"], scope: "")
            try await app.emulator.removeUser(Self.user)
            let deleted = try await app.refresh(first["refresh_token"], scope: "")

            #expect(try change.refusal() == Refusal("invalid_request", number: 50_142))
            #expect(try deleted.refusal() == Refusal("invalid_grant", number: 50_034, suberror: "user_account_deleted"))
        }
    }

    @Test func `refresh tokens grow old`() async throws {
        try await NativeApp.run { app in
            let first = try await app.signIn(Self.user).json()
            await app.emulator.advanceClock(by: .seconds(91 * 86_400))
            let late = try await app.refresh(first["refresh_token"], scope: "")

            #expect(try late.refusal() == Refusal("invalid_grant", number: 700_082, suberror: "bad_token"))
        }
    }

    @Test func `claims travel into the access token`() async throws {
        try await NativeApp.run { app in
            let token = try await app.challenged(Self.user)
            let claims = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
            let response = try await app.redeem(
                "password",
                token: token,
                adding: ["password": NativeApp.password, "claims": claims]
            )

            #expect(try Bench.claims(response.json()["access_token"])["xms_cc"] as? [String] == ["CP1"])
        }
    }
}
