// Licensed under the MIT License. See LICENSE.

import EntraEmulator

@testable import MSAL

// The stories of steps that only V2 has, or that it has in another order than V1.
extension NativeAuthSituations {
    static let secondVersion = choices + attributes + registration + factors + resets + browser

    private static let seed = Seed()
    private static let newcomer = "nia@customer.example"
    private static let strong = "Gr8-secret!"

    private static let choices = [
        NativeAuthSituation(
            "a choice of first factors",
            only: .v2,
            story: (.signIn("method-choice@fabrikam.example"), .firstFactor(["email", "password"])),
            (.choose(1), .signInPassword),
            (.password(""), .failure(.invalidPassword, retry: true)),
            (.password("wrong"), .failure(.invalidPassword, retry: true)),
            (.password(seed.password), .account("method-choice@fabrikam.example")),
            (.signIn("method-choice@fabrikam.example"), .firstFactor(["email", "password"])),
            (.choose(0), .signInCode(to: "m***e@fa******.example")),
            (.code(from: "method-choice@fabrikam.example"), .account("method-choice@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a method that no app supports",
            only: .v2,
            story: (.signIn("unsupported@fabrikam.example"), .failure(.general))
        ),
        NativeAuthSituation(
            "a sign-up of a user who has an account, which continues as a sign-in",
            only: .v2,
            platform: { $0.nativeAuth.v2.existingAccountAtSignUp = .continueAsSignIn },
            story: (.signUp("password@fabrikam.example", password: seed.password), .signedUp),
            (.signInAfterwards, .account("password@fabrikam.example"))
        ),
        NativeAuthSituation(
            "an expired code, and its expired token",
            only: .v2,
            story: (.signIn("code@fabrikam.example"), .signInCode(to: "c***e@fa******.example")),
            (.meanwhile { await $0.advanceClock(by: .seconds(601)) }, nil),
            (.code(from: "code@fabrikam.example"), .failure(.general)),
            (.resendCode, .failure(.general))
        ),
        NativeAuthSituation(
            "another user who is faster, which V2 reports",
            only: .v2,
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.meanwhile { try await $0.addCustomer(newcomer, password: nil) }, nil),
            (.code(from: newcomer), .failure(.userAlreadyExists))
        ),
        NativeAuthSituation(
            "V2 switched off",
            only: .v2,
            platform: { $0.nativeAuth.v2.isEnabled = false },
            story: (.signIn("password@fabrikam.example"), .failure(.general))
        ),
    ]

    private static let attributes = [
        NativeAuthSituation(
            "a sign-up with attributes, and then a password",
            only: .v2,
            clientID: seed.attributesClientID,
            story: (.signUp(newcomer), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .attributes(["displayName", "postalCode"])),
            (.attributes(["displayName": "Nia", "postalCode": "12345"]), .signUpPassword),
            (.password("short"), .failure(.invalidPassword, retry: true)),
            (.password(strong), .signedUp),
            (.signInAfterwards, .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up whose attributes were set at the start",
            only: .v2,
            clientID: seed.attributesClientID,
            story: (
                .signUp(newcomer, password: strong, attributes: ["displayname": "Nia", "postalCode": "12345"]),
                .signUpCode(to: "n***a@cu******.example")
            ),
            (.code(from: newcomer), .signedUp)
        ),
        NativeAuthSituation(
            "attributes that the service rejects with the password",
            only: .v2,
            clientID: seed.attributesClientID,
            story: (.signUp(newcomer), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .attributes(["displayName", "postalCode"])),
            (.attributes(["displayName": "Nia", "postalCode": "x"]), .signUpPassword),
            (.password(strong), .invalidAttributes(["postalCode"]))
        ),
        NativeAuthSituation(
            "attributes at a sign-in",
            only: .v2,
            story: (
                .signIn("attributes@fabrikam.example", password: seed.password), .attributes(["displayName", "city"])
            ),
            (.attributes(["displayName": "Nia", "city": "oslo"]), .invalidAttributes(["city"])),
            (.attributes(["displayName": "Nia", "city": "Oslo"]), .account("attributes@fabrikam.example"))
        ),
    ]

    private static let registration = [
        NativeAuthSituation(
            "a registration with a blocked, a malformed and another contact",
            only: .v2,
            story: (.signIn("register-v2@fabrikam.example", password: seed.password), .registration(["sms", "email"])),
            (.register(1, contact: ""), .failure(.invalidInput, retry: true)),
            (.register(1, contact: "nonsense"), .failure(.invalidInput, retry: true)),
            (.register(1, contact: "me@blocked.example"), .failure(.verificationContactBlocked, retry: true)),
            (.register(0, contact: "+15550199"), .failure(.verificationContactBlocked, retry: true)),
            (.register(1, contact: "one@customer.example"), .registrationCode(to: "o***e@cu******.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("wrong"), .failure(.invalidCode, retry: true)),
            (.resendCode, .registrationCode(to: "o***e@cu******.example")),
            (.code(from: "one@customer.example"), .account("register-v2@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a registration with the other member names, with a risk check",
            only: .v2,
            platform: {
                $0.nativeAuth.v2.registrationWords = .init(offer: .register, check: .verify)
                $0.nativeAuth.v2.riskCheck = .pass
            },
            story: (.signIn("register-v2@fabrikam.example", password: seed.password), .registration(["sms", "email"])),
            (.register(0, contact: "+15550123"), .registrationCode(to: "*******23")),
            (.code(from: "+15550123"), .account("register-v2@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a registration of a telephone that the risk check rejects",
            only: .v2,
            platform: { $0.nativeAuth.v2.riskCheck = .block },
            story: (.signIn("register-v2@fabrikam.example", password: seed.password), .registration(["sms", "email"])),
            (.register(0, contact: "+15550123"), .failure(.verificationContactBlocked, retry: true))
        ),
        NativeAuthSituation(
            "a registration before the account is created",
            only: .v2,
            clientID: seed.secondFactorClientID,
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .registration(["email", "sms"])),
            (.register(1, contact: "+15550123"), .registrationCode(to: "*******23")),
            (.code(from: "+15550123"), .signedUp),
            (.signInAfterwards, .account(newcomer))
        ),
        NativeAuthSituation(
            "a registration of the user's own address, which needs no code",
            only: .v2,
            platform: { $0.nativeAuth.v2.registrationWords = .init(knownContactNeedsCode: false) },
            story: (.signIn("register-v2@fabrikam.example", password: seed.password), .registration(["sms", "email"])),
            (.register(1, contact: "register-v2@fabrikam.example"), .account("register-v2@fabrikam.example"))
        ),
    ]

    private static let factors = [
        NativeAuthSituation(
            "a second factor by SMS that is sent again, with a risk check",
            only: .v2,
            platform: { $0.nativeAuth.v2.riskCheck = .pass },
            story: (.signIn("mfa-choice@fabrikam.example", password: seed.password), .secondFactor(["email", "sms"])),
            (.choose(1), .secondFactorCode(to: "*******42")),
            (.resendCode, .secondFactorCode(to: "*******42")),
            (.code(from: "+15550142"), .account("mfa-choice@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a telephone that the risk check rejects",
            only: .v2,
            platform: { $0.nativeAuth.v2.riskCheck = .block },
            story: (.signIn("mfa-choice@fabrikam.example", password: seed.password), .secondFactor(["email", "sms"])),
            (.choose(1), .failure(.authMethodBlocked, retry: true))
        ),
        NativeAuthSituation(
            "a risk check that does not finish",
            only: .v2,
            platform: { $0.nativeAuth.v2.riskCheck = .twice },
            story: (.signIn("mfa-choice@fabrikam.example", password: seed.password), .secondFactor(["email", "sms"])),
            (.choose(1), .failure(.general))
        ),
        NativeAuthSituation(
            "a second factor when the tokens are requested",
            only: .v2,
            platform: { $0.nativeAuth.v2.secondFactorPosition = .atResume },
            story: (.signIn("mfa@fabrikam.example", password: seed.password), .secondFactor(["email"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.code(from: "mfa-second@fabrikam.example"), .account("mfa@fabrikam.example"))
        ),
    ]

    private static let resets = [
        NativeAuthSituation(
            "a reset with a second factor before the new password",
            only: .v2,
            story: (.resetPassword("mfa@fabrikam.example"), .resetCode(to: "m***a@fa******.example")),
            (.code(from: "mfa@fabrikam.example"), .secondFactor(["email"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.code(from: "mfa-second@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset),
            (.signInAfterwards, .account("mfa@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset with a second factor after the new password",
            only: .v2,
            story: (.resetPassword("reset-mfa@fabrikam.example"), .resetCode(to: "r***a@fa******.example")),
            (.code(from: "reset-mfa@fabrikam.example"), .newPassword),
            (.password(strong), .secondFactor(["sms"])),
            (.choose(0), .secondFactorCode(to: "*******42")),
            (.code(from: "+15550142"), .passwordReset),
            (.signInAfterwards, .account("reset-mfa@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset, and a second factor when the tokens are requested",
            only: .v2,
            platform: { $0.nativeAuth.v2.secondFactorPosition = .atResume },
            story: (.resetPassword("mfa@fabrikam.example"), .resetCode(to: "m***a@fa******.example")),
            (.code(from: "mfa@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset),
            (.signInAfterwards, .secondFactor(["email"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.code(from: "mfa-second@fabrikam.example"), .account("mfa@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset that takes effect at the fifth poll",
            only: .v2,
            platform: { $0.nativeAuth.unfinishedPolls = 4 },
            story: (.resetPassword("password@fabrikam.example"), .resetCode(to: "p***d@fa******.example")),
            (.code(from: "password@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset)
        ),
        NativeAuthSituation(
            "a reset that would take effect at the sixth poll",
            only: .v2,
            platform: { $0.nativeAuth.unfinishedPolls = 5 },
            story: (.resetPassword("password@fabrikam.example"), .resetCode(to: "p***d@fa******.example")),
            (.code(from: "password@fabrikam.example"), .newPassword),
            (.password(strong), .failure(.general))
        ),
        NativeAuthSituation(
            "a reset that takes effect without a poll",
            only: .v2,
            platform: { $0.nativeAuth.v2.polls = .skipped },
            story: (.resetPassword("password@fabrikam.example"), .resetCode(to: "p***d@fa******.example")),
            (.code(from: "password@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset)
        ),
        NativeAuthSituation(
            "a reset whose poll fails",
            only: .v2,
            story: (.resetPassword("reset-fails@fabrikam.example"), .resetCode(to: "r***s@fa******.example")),
            (.code(from: "reset-fails@fabrikam.example"), .newPassword),
            // The service responds with 500, which delegates receive as a general error.
            (.password(strong), .failure(.serviceUnavailable))
        ),
    ]

    /// Each form in which the service requires the browser, at each step.
    private static let browser = NativeAuthV2Settings.Fallback.allCases.filter { $0 != .off }.flatMap { form in
        NativeAuthV2Settings.FallbackStep.allCases.map { step in
            NativeAuthSituation(
                "the browser is required: \(form.rawValue), \(step.rawValue)",
                only: .v2,
                platform: {
                    $0.nativeAuth.v2.fallback = form
                    $0.nativeAuth.v2.fallbackStep = step
                },
                story: (.signIn("password@fabrikam.example", password: seed.password), .browserRequired)
            )
        }
    }
}
