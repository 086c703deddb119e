// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct FlowResetTests {
    static let user = "password@fabrikam.example"
    static let newPassword = "Gr8-secret!"

    /// Resets until a new password is asked for.
    private func asked(_ app: FlowApp, _ user: String = user) async throws -> Bench.Response {
        try await app.prove(app.start("reset_password", as: user), by: "email", to: user)
    }

    private func submit(
        _ app: FlowApp,
        to asked: Bench.Response,
        _ password: String = newPassword
    ) async throws -> Bench.Response {
        try await app.follow("update", of: asked, by: .PUT, adding: ["newPassword": password])
    }

    @Test func `a new password is valid after the polls, and ends earlier sign-ins`() async throws {
        try await FlowApp.run { app in
            let before = try await app.tokens(app.signIn(Self.user))
            await app.emulator.advanceClock(by: .seconds(1))
            let asked = try await asked(app)
            let submitted = try await submit(app, to: asked)
            let early = try await app.signIn(Self.user)
            let unfinished = try await app.follow("poll", of: submitted)
            let done = try await app.follow("poll", of: unfinished)
            let tokens = try await app.tokens(done)
            let old = try await app.signIn(Self.user)
            let new = try await app.follow(
                "verify",
                of: app.start("sign_in", as: Self.user),
                adding: ["password": Self.newPassword]
            )
            let stale = try await NativeApp(bench: app.bench).refresh(before["refresh_token"], scope: "")

            #expect(try asked.action() == "update")
            #expect(app.emulator.outbox.first?.purpose == .passwordReset)
            #expect(try submitted.action() == "poll")
            #expect(try submitted.json()["pollInterval"] == nil)
            #expect(try early.state() == "continue")
            #expect(try unfinished.action() == "poll")
            #expect(try submitted.flowToken() != unfinished.flowToken())
            #expect(tokens["access_token"] is String)
            #expect(try old.flowFailure() == .wrongPassword)
            #expect(try new.state() == "continue")
            #expect(try stale.refusal().number == 50_173)
        }
    }

    @Test(
        arguments: [
            ("Sh0rt!", FlowFailure("invalidRequest", "passwordTooShort", number: 120_003)),
            (String(repeating: "Aa1!", count: 65), FlowFailure("invalidRequest", "passwordTooLong", number: 120_003)),
            ("Grüße-2026", FlowFailure("invalidRequest", "passwordIsInvalid", number: 120_014)),
            ("My-Password-1", FlowFailure("invalidRequest", "passwordBanned", number: 120_015)),
            ("alllowercase", FlowFailure("invalidRequest", "passwordTooWeak", number: 120_002)),
            ("Pa55-word!", FlowFailure("invalidRequest", "passwordRecentlyUsed", number: 120_013)),
        ]
    )
    func `a new password that breaks a rule is refused, and another is taken`(
        password: String,
        expected: FlowFailure
    ) async throws {
        try await FlowApp.run { app in
            let asked = try await asked(app, "guest@fabrikam.example")
            let refused = try await submit(app, to: asked, password)
            let accepted = try await submit(app, to: asked)

            #expect(try refused.flowFailure() == expected)
            #expect(try accepted.action() == "poll")
        }
    }

    @Test func `polls can fail, never end, or not be there; their time can be named`() async throws {
        try await FlowApp.run({ $0.nativeAuth.pollInterval = .milliseconds(1_500) }) { app in
            func submitted(
                _ polls: NativeAuthV2Settings.Polls?,
                _ user: String = Self.user
            ) async throws -> Bench.Response {
                try await app.emulator.changeNativeAuth {
                    $0.v2.polls = polls
                    $0.v2.announcesPollInterval = true
                }
                return try await submit(app, to: asked(app, user))
            }
            let failed = try await app.follow("poll", of: submitted(.fails))
            var hanging = try await submitted(.hangs)
            let interval = try hanging.json()["pollInterval"] as? Int
            for _ in 0..<4 { hanging = try await app.follow("poll", of: hanging) }
            let done = try await submitted(.skipped)
            let failedByUser = try await app.follow(
                "poll",
                of: submitted(nil, "reset-fails@fabrikam.example")
            )

            #expect(try failed.flowFailure() == FlowFailure("serverError", number: 50_000, status: 500))
            #expect(try hanging.action() == "poll")
            #expect(interval == 1_500)
            #expect(try done.state() == "continue")
            #expect(failedByUser.status == 500)
        }
    }

    @Test func `a reset that is broken off changes nothing`() async throws {
        try await FlowApp.run { app in
            _ = try await submit(app, to: asked(app))
            let old = try await app.signIn(Self.user)

            #expect(try old.state() == "continue")
        }
    }

    @Test(arguments: ["locked", "change", "expired"])
    func `a new password unlocks the account`(name: String) async throws {
        try await FlowApp.run(with: { $0.polls = .skipped }) { app in
            let user = "\(name)@fabrikam.example"
            let done = try await submit(app, to: asked(app, user))
            let tokens = try await app.tokens(done)

            #expect(tokens["access_token"] is String)
        }
    }

    @Test func `a user without a password, or who may not reset it, gets an error`() async throws {
        try await FlowApp.run { app in
            let noPassword = try await app.start("reset_password", as: "code@fabrikam.example")
            let unknown = try await app.start("reset_password", as: "nobody@fabrikam.example")
            try await app.emulator.changeDirectory { directory in
                directory.applications[0].nativeAuthentication?.allowsPasswordReset = false
            }
            let forbidden = try await app.start("reset_password", as: Self.user)

            #expect(try noPassword.flowFailure() == FlowFailure("invalidRequest", number: 500_222))
            #expect(try unknown.flowFailure() == FlowFailure("invalidRequest", number: 50_034))
            #expect(try forbidden.flowFailure() == FlowFailure("invalidRequest", number: 500_222))
        }
    }

    @Test func `the code of a reset can go to a telephone`() async throws {
        try await FlowApp.run { app in
            let user = "reset-mfa@fabrikam.example"
            try await app.emulator.changeCustomer(user) { $0.v2?.firstFactors = ["email", "sms"] }
            let offered = try await app.start("reset_password", as: user)
            let asked = try await app.prove(offered, by: "sms", to: "+15550142")

            #expect(try offered.types() == ["email", "sms"])
            #expect(try asked.action() == "update")
        }
    }

    // MARK: Second factor

    @Test func `a second factor can come before the new password`() async throws {
        try await FlowApp.run(with: { $0.polls = .skipped }) { app in
            let offered = try await asked(app, "mfa@fabrikam.example")
            let proved = try await app.prove(offered, by: "email", to: "mfa-second@fabrikam.example")
            let done = try await submit(app, to: proved)

            #expect(try offered.factor() == "multiFactor")
            #expect(try proved.action() == "update")
            #expect(try done.state() == "continue")
        }
    }

    @Test func `a second factor can come in a poll; the new password waits for it`() async throws {
        try await FlowApp.run({ $0.nativeAuth.unfinishedPolls = 0 }) { app in
            let user = "reset-mfa@fabrikam.example"
            let offered = try await app.follow("poll", of: submit(app, to: asked(app, user)))
            let early = try await app.signIn(user)
            let done = try await app.prove(offered, by: "sms", to: "+15550142")
            let tokens = try await app.tokens(done)
            let late = try await app.signIn(user)

            #expect(try offered.factor() == "multiFactor")
            #expect(try early.factor() == "multiFactor")
            #expect(tokens["access_token"] is String)
            #expect(try late.flowFailure() == .wrongPassword)
        }
    }

    @Test func `a second factor can come when the reset is resumed`() async throws {
        try await FlowApp.run(with: { $0.secondFactorPosition = .atResume }) { app in
            try await app.emulator.changeNativeAuth { $0.v2.polls = .skipped }
            let offered = try await app.resume(submit(app, to: asked(app, "mfa@fabrikam.example")))
            let done = try await app.prove(offered, by: "email", to: "mfa-second@fabrikam.example")
            let tokens = try await app.tokens(done)

            #expect(offered.status == 401)
            #expect(tokens["access_token"] is String)
        }
    }
}
