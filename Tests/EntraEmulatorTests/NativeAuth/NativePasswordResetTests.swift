// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

struct NativePasswordResetTests {
    static let user = "password@fabrikam.example"

    private func submit(_ app: NativeApp, token: String, password: String) async throws -> Bench.Response {
        try await app.next("resetpassword/v1.0/submit", token: token, adding: ["new_password": password])
    }

    private func poll(_ app: NativeApp, token: String) async throws -> Bench.Response {
        try await app.next("resetpassword/v1.0/poll_completion", token: token)
    }

    @Test func `a new password is valid after a poll, and old sign-ins are not`() async throws {
        try await NativeApp.run { app in
            let before = try await app.signIn(Self.user).json()
            await app.emulator.advanceClock(by: .seconds(1))
            let submitted = try await submit(
                app,
                token: try await app.resetVerified(Self.user),
                password: "Gr8-secret!"
            )
            let first = try await poll(app, token: submitted.token())
            let second = try await poll(app, token: submitted.token())
            let tokens = try await app.redeem(
                "continuation_token",
                token: second.token(),
                adding: ["username": Self.user]
            )
            let old = try await app.signIn(Self.user)
            let new = try await app.redeem(
                "password",
                token: try await app.challenged(Self.user),
                adding: ["password": "Gr8-secret!"]
            )
            let stale = try await app.refresh(before["refresh_token"], scope: "")
            let fresh = try await app.refresh(tokens.json()["refresh_token"], scope: "")

            #expect(try submitted.json()["poll_interval"] as? Int == 2)
            #expect(try first.json()["status"] as? String == "in_progress")
            #expect(try second.json()["status"] as? String == "succeeded")
            #expect(tokens.status == 200)
            #expect(try old.refusal() == Refusal("invalid_grant", number: 50_126))
            #expect(new.status == 200)
            #expect(try stale.refusal() == Refusal("invalid_grant", number: 50_173, suberror: "bad_token"))
            #expect(fresh.status == 200)
        }
    }

    @Test func `a new password ends the browser's sessions too`() async throws {
        try await NativeApp.run({ $0.nativeAuth.unfinishedPolls = 0 }) { app in
            let browser = Browser(app.bench)
            let url = app.bench.authorizeURL(tenant: "fabrikam.example")
            let silent = app.bench.authorizeURL(tenant: "fabrikam.example", changing: ["prompt": "none"])
            _ = try await browser.signIn(url, as: Self.user)
            let before = try await browser.open(silent)
            await app.emulator.advanceClock(by: .seconds(1))
            let submitted = try await submit(
                app,
                token: try await app.resetVerified(Self.user),
                password: "Gr8-secret!"
            )
            _ = try await poll(app, token: submitted.token())
            let after = try await browser.open(silent)

            #expect(before.parameters["code"] != nil)
            #expect(after.parameters["error"] == "login_required")
        }
    }

    @Test(
        arguments: [
            ("Sh0rt!", "password_too_short"), (String(repeating: "Aa1!", count: 65), "password_too_long"),
            ("Grüße-2026", "password_is_invalid"), ("My-Password-1", "password_banned"),
            ("Fabrikam-2026", "password_banned"), ("guest-2026-Xy", "password_banned"),
            ("alllowercase", "password_too_weak"), ("Pa55-word!", "password_recently_used"),
        ]
    )
    func `the password policy`(password: String, suberror: String) async throws {
        try await NativeApp.run { app in
            let token = try await app.resetVerified("guest@fabrikam.example")
            let refused = try await submit(app, token: token, password: password)
            let accepted = try await submit(app, token: token, password: "Gr8-secret!")

            #expect(try refused.refusal() == Refusal("invalid_grant", number: 399_246, suberror: suberror))
            #expect(accepted.status == 200)
        }
    }

    @Test func `earlier passwords cannot be reused`() async throws {
        try await NativeApp.run({ $0.nativeAuth.unfinishedPolls = 0 }) { app in
            let first = try await submit(app, token: try await app.resetVerified(Self.user), password: "Gr8-secret!")
            _ = try await poll(app, token: first.token())
            let again = try await submit(app, token: try await app.resetVerified(Self.user), password: "Pa55-word!")

            #expect(try again.refusal().suberror == "password_recently_used")
        }
    }

    @Test(arguments: ["locked", "change", "expired"])
    func `a new password unlocks the account`(name: String) async throws {
        try await NativeApp.run({ $0.nativeAuth.unfinishedPolls = 0 }) { app in
            let user = "\(name)@fabrikam.example"
            let submitted = try await submit(app, token: try await app.resetVerified(user), password: "Gr8-secret!")
            _ = try await poll(app, token: submitted.token())
            let tokens = try await app.redeem(
                "password",
                token: try await app.challenged(user),
                adding: ["password": "Gr8-secret!"]
            )

            #expect(tokens.status == 200)
        }
    }

    @Test func `a reset may fail, and can be tried again; another never ends`() async throws {
        try await NativeApp.run({ $0.nativeAuth.unfinishedPolls = 0 }) { app in
            let submitted = try await submit(
                app,
                token: try await app.resetVerified("reset-fails@fabrikam.example"),
                password: "Gr8-x!y2"
            )
            let failed = try await poll(app, token: submitted.token())
            let again = try await submit(app, token: failed.token(), password: "Gr8-x!y3")
            let hanging = try await submit(
                app,
                token: try await app.resetVerified("reset-hangs@fabrikam.example"),
                password: "Gr8-x!y2"
            )
            var statuses: [String?] = []
            for _ in 0..<7 { statuses.append(try await poll(app, token: hanging.token()).json()["status"] as? String) }

            #expect(try failed.json()["status"] as? String == "failed")
            #expect(again.status == 200)
            #expect(statuses == Array(repeating: "in_progress", count: 7))
        }
    }

    @Test func `refusals at the start and at the code`() async throws {
        try await NativeApp.run { app in
            let path = "resetpassword/v1.0/start"
            let code = try await app.begin(path, user: "code@fabrikam.example")
            let social = try await app.begin(path, user: "social@fabrikam.example")
            let noCode = try await app.begin(path, user: Self.user, adding: ["challenge_type": "password redirect"])
            let begun = try await app.begin(path, user: Self.user).token()
            let sent = try await app.challenge("resetpassword/v1.0/challenge", token: begun).token()
            let wrong = try await app.next(
                "resetpassword/v1.0/continue",
                token: sent,
                adding: ["grant_type": "oob", "oob": "wrong"]
            )
            let grant = try await app.next(
                "resetpassword/v1.0/continue",
                token: sent,
                adding: ["grant_type": "password"]
            )

            #expect(try code.refusal() == Refusal("invalid_request", number: 500_222))
            #expect(try social.json()["challenge_type"] as? String == "redirect")
            #expect(try noCode.json()["challenge_type"] as? String == "redirect")
            #expect(try wrong.refusal() == Refusal("invalid_grant", number: 50_181, suberror: "invalid_oob_value"))
            #expect(try grant.refusal() == Refusal("invalid_grant", number: 70_003))
        }
    }
}
