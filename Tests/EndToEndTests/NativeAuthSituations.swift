// Licensed under the MIT License. See LICENSE.

import EntraEmulator

@testable import MSAL

/// The stories that exercise every state and transition of docs/reference/NativeAuthentication.md#states through both
/// interfaces.
enum NativeAuthSituations {
    private static let seed = Seed()
    private static let newcomer = "nia@customer.example"
    private static let strong = "Gr8-secret!"

    /// Every story for the app of a version.
    static func all(_ version: NativeAuthVersion) -> [NativeAuthSituation] {
        (signIn + strongAuth + signUp + reset + account + secondVersion).filter { $0.version ?? version == version }
    }

    private static let signIn = [
        NativeAuthSituation(
            "a password with the first call",
            story: (
                .signIn("password@fabrikam.example", password: seed.password), .account("password@fabrikam.example")
            )
        ),
        NativeAuthSituation(
            "a requested password, after an empty and a wrong one",
            story: (.signIn("password@fabrikam.example"), .signInPassword),
            (.password(""), .failure(.invalidPassword, retry: true)),
            (.password("wrong"), .failure(.invalidPassword, retry: true)),
            (.password(seed.password), .account("password@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a code, after an empty one, a wrong one and another one",
            story: (.signIn("code@fabrikam.example"), .signInCode(to: "c***e@fa******.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("00000000x"), .failure(.invalidCode, retry: true)),
            (.resendCode, .signInCode(to: "c***e@fa******.example")),
            (.code(from: "code@fabrikam.example"), .account("code@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a password that was not requested",
            story: (
                .signIn("code@fabrikam.example", password: seed.password),
                .signInCode(to: "c***e@fa******.example")
            )
        ),
        NativeAuthSituation(
            "an expired code, and an expired token",
            only: .v1,
            story: (.signIn("code@fabrikam.example"), .signInCode(to: "c***e@fa******.example")),
            (.meanwhile { await $0.advanceClock(by: .seconds(601)) }, nil),
            (.code(from: "code@fabrikam.example"), .failure(.general, retry: true)),
            (.resendCode, .failure(.general, retry: true))
        ),
        NativeAuthSituation(
            "errors of a sign-in",
            story: (.signIn(""), .failure(.invalidUsername)),
            (.signIn("nobody@fabrikam.example"), .failure(.userNotFound)),
            (.signIn("locked@fabrikam.example", password: seed.password), .failure(.general)),
            (.signIn("disabled@fabrikam.example", password: seed.password), .failure(.general)),
            (.signIn("expired@fabrikam.example", password: seed.password), .failure(.general)),
            (.signIn("change@fabrikam.example", password: seed.password), .failure(.general)),
            (.signIn("social@fabrikam.example"), .browserRequired),
            (
                .signIn("password@fabrikam.example", password: seed.password, scopes: ["nonsense"]),
                .failure(.general)
            )
        ),
        NativeAuthSituation(
            "a wrong password with the first call",
            only: .v1,
            story: (.signIn("password@fabrikam.example", password: ""), .failure(.invalidCredentials)),
            (.signIn("password@fabrikam.example", password: "wrong"), .failure(.invalidCredentials))
        ),
        NativeAuthSituation(
            "a step that only the browser can do",
            only: .v1,
            challengeTypes: [.OOB],
            capabilities: [],
            story: (.signIn("password@fabrikam.example"), .browserRequired),
            (.signIn("mfa-code@fabrikam.example"), .signInCode(to: "m***e@fa******.example")),
            (.code(from: "mfa-code@fabrikam.example"), .browserRequired)
        ),
        NativeAuthSituation(
            "an app with native authentication switched off",
            clientID: seed.browserOnlyClientID,
            story: (.signIn("password@fabrikam.example"), .failure(.general)),
            (.signUp(newcomer), .failure(.general)),
            (.resetPassword("password@fabrikam.example"), .failure(.general))
        ),
    ]

    private static let strongAuth = [
        NativeAuthSituation(
            "a second factor by e-mail, after an empty and a wrong code",
            story: (.signIn("mfa@fabrikam.example", password: seed.password), .secondFactor(["email"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("wrong"), .failure(.invalidCode, retry: true)),
            (.code(from: "mfa-second@fabrikam.example"), .account("mfa@fabrikam.example"))
        ),
        NativeAuthSituation(
            "another method after the first",
            only: .v1,
            story: (.signIn("mfa-choice@fabrikam.example"), .signInPassword),
            (.password(seed.password), .secondFactor(["email", "sms"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.choose(1), .secondFactorCode(to: "*******42")),
            (.code(from: "+15550142"), .account("mfa-choice@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a second factor after a code",
            story: (.signIn("mfa-code@fabrikam.example"), .signInCode(to: "m***e@fa******.example")),
            (.code(from: "mfa-code@fabrikam.example"), .secondFactor(["sms"])),
            (.choose(0), .secondFactorCode(to: "*******42")),
            (.code(from: "+15550142"), .account("mfa-code@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a method that the service blocks",
            story: (.signIn("mfa-blocked@fabrikam.example", password: seed.password), .secondFactor(["email"])),
            (.choose(0), .failure(.authMethodBlocked, retry: true))
        ),
        NativeAuthSituation(
            "a registration, with a blocked, a malformed and another contact",
            only: .v1,
            story: (.signIn("register@fabrikam.example", password: seed.password), .registration(["email"])),
            (.register(0, contact: ""), .failure(.invalidInput, retry: true)),
            (.register(0, contact: "nonsense"), .failure(.invalidInput, retry: true)),
            (.register(0, contact: "me@blocked.example"), .failure(.verificationContactBlocked, retry: true)),
            (.register(0, contact: "one@customer.example"), .registrationCode(to: "one@customer.example")),
            (.register(0, contact: "two@customer.example"), .registrationCode(to: "two@customer.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("wrong"), .failure(.invalidCode, retry: true)),
            (.code(from: "two@customer.example"), .account("register@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a registration with the user's own address",
            only: .v1,
            story: (.signIn("register@fabrikam.example"), .signInPassword),
            (.password(seed.password), .registration(["email"])),
            (.register(0, contact: "register@fabrikam.example"), .account("register@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a registration after a code, that ends with the user's own address",
            only: .v1,
            story: (.signIn("register-code@fabrikam.example"), .signInCode(to: "r***e@fa******.example")),
            (.code(from: "register-code@fabrikam.example"), .registration(["email"])),
            (.register(0, contact: "one@customer.example"), .registrationCode(to: "one@customer.example")),
            (.register(0, contact: "register-code@fabrikam.example"), .account("register-code@fabrikam.example"))
        ),
    ]

    private static let signUp = [
        NativeAuthSituation(
            "a sign-up with everything at the start",
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("wrong"), .failure(.invalidCode, retry: true)),
            (.resendCode, .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signedUp),
            (.signInAfterwards, .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up with a password afterwards",
            story: (.signUp(newcomer), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signUpPassword),
            (.password(""), .failure(.invalidPassword, retry: true)),
            (.password("tooweakpw"), .failure(.invalidPassword, retry: true)),
            (.password(strong), .signedUp),
            (.signInAfterwards, .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up with attributes after the code",
            only: .v1,
            clientID: seed.attributesClientID,
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .attributes(["displayName", "postalCode"])),
            (.attributes(["displayName": "Nia", "postalCode": "x"]), .invalidAttributes(["postalCode"])),
            (.attributes(["displayName": "Nia"]), .attributes(["postalCode"])),
            (.attributes(["postalCode": "12345"]), .signedUp),
            (.signInAfterwards, .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up with a password and then attributes",
            only: .v1,
            clientID: seed.attributesClientID,
            story: (.signUp(newcomer), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signUpPassword),
            (.password(strong), .attributes(["displayName", "postalCode"])),
            (.attributes(["displayName": "Nia", "postalCode": "12345"]), .signedUp)
        ),
        NativeAuthSituation(
            "a sign-up without a password, and a sign-in with a code",
            clientID: seed.codeClientID,
            challengeTypes: [.OOB],
            story: (.signUp(newcomer), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signedUp),
            (.signIn(newcomer), .signInCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up that requires a strong method at once",
            only: .v1,
            clientID: seed.secondFactorClientID,
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signedUp),
            (.signInAfterwards, .registration(["email", "sms"])),
            (.register(1, contact: "+15550123"), .registrationCode(to: "+15550123")),
            (.code(from: "+15550123"), .account(newcomer))
        ),
        NativeAuthSituation(
            "a sign-up, and then a second factor",
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.code(from: newcomer), .signedUp),
            (
                .meanwhile { emulator in
                    try await emulator.changeCustomer(newcomer) {
                        $0.requiresSecondFactor = true
                        $0.strongMethods = [StrongMethod(id: "1", channel: .sms, address: "+15550142")]
                    }
                }, nil
            ),
            (.signInAfterwards, .secondFactor(["sms"])),
            (.choose(0), .secondFactorCode(to: "*******42")),
            (.code(from: "+15550142"), .account(newcomer))
        ),
        NativeAuthSituation(
            "errors of a sign-up",
            story: (.signUp(""), .failure(.invalidUsername)),
            (.signUp("nonsense"), .failure(.invalidUsername)),
            (.signUp("password@fabrikam.example"), .failure(.userAlreadyExists))
        ),
        NativeAuthSituation(
            "an invalid password at the start of a sign-up",
            only: .v1,
            story: (.signUp(newcomer, password: ""), .failure(.invalidPassword)),
            (.signUp(newcomer, password: "short"), .failure(.invalidPassword))
        ),
        NativeAuthSituation(
            "attributes that are rejected at the start",
            only: .v1,
            clientID: seed.attributesClientID,
            story: (
                .signUp(newcomer, attributes: ["displayName": "Nia", "postalCode": "x"]),
                .invalidAttributes(["postalCode"])
            )
        ),
        NativeAuthSituation(
            "another user who is faster",
            only: .v1,
            story: (.signUp(newcomer, password: strong), .signUpCode(to: "n***a@cu******.example")),
            (.meanwhile { try await $0.addCustomer(newcomer, password: nil) }, nil),
            (.code(from: newcomer), .failure(.general))
        ),
    ]

    private static let reset = [
        NativeAuthSituation(
            "a reset, with wrong codes and invalid passwords in between",
            story: (.resetPassword("password@fabrikam.example"), .resetCode(to: "p***d@fa******.example")),
            (.typedCode(""), .failure(.invalidCode, retry: true)),
            (.typedCode("wrong"), .failure(.invalidCode, retry: true)),
            (.resendCode, .resetCode(to: "p***d@fa******.example")),
            (.code(from: "password@fabrikam.example"), .newPassword),
            (.password(""), .failure(.invalidPassword, retry: true)),
            (.password(seed.password), .failure(.invalidPassword, retry: true)),
            (.password(strong), .passwordReset),
            (.signInAfterwards, .account("password@fabrikam.example")),
            (.signIn("password@fabrikam.example"), .signInPassword),
            (.password(seed.password), .failure(.invalidPassword, retry: true)),
            (.password(strong), .account("password@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset, and then a registration",
            only: .v1,
            story: (.resetPassword("register@fabrikam.example"), .resetCode(to: "r***r@fa******.example")),
            (.code(from: "register@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset),
            (.signInAfterwards, .registration(["email"])),
            (.register(0, contact: "register@fabrikam.example"), .account("register@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset, and then a second factor",
            only: .v1,
            story: (.resetPassword("mfa@fabrikam.example"), .resetCode(to: "m***a@fa******.example")),
            (.code(from: "mfa@fabrikam.example"), .newPassword),
            (.password(strong), .passwordReset),
            (.signInAfterwards, .secondFactor(["email"])),
            (.choose(0), .secondFactorCode(to: "m***d@fa******.example")),
            (.code(from: "mfa-second@fabrikam.example"), .account("mfa@fabrikam.example")),
            (.lookUpAccount, .account("mfa@fabrikam.example"))
        ),
        NativeAuthSituation(
            "a reset that has no effect",
            story: (.resetPassword("reset-hangs@fabrikam.example"), .resetCode(to: "r***s@fa******.example")),
            (.code(from: "reset-hangs@fabrikam.example"), .newPassword),
            (.password(strong), .failure(.general))
        ),
        NativeAuthSituation(
            "errors of a reset",
            story: (.resetPassword(""), .failure(.invalidUsername)),
            (.resetPassword("nobody@fabrikam.example"), .failure(.userNotFound)),
            (.resetPassword("code@fabrikam.example"), .failure(.userDoesNotHavePassword)),
            (.resetPassword("social@fabrikam.example"), .browserRequired)
        ),
    ]

    private static let account = [
        NativeAuthSituation(
            "tokens for two APIs from one sign-in, from the cache, renewed, and none after signing out",
            story: (.lookUpAccount, .noAccount),
            (.signIn("password@fabrikam.example", password: seed.password), .account("password@fabrikam.example")),
            (.lookUpAccount, .account("password@fabrikam.example")),
            (.accessToken([seed.toDoReadScope]), .token([seed.toDoReadScope])),
            (
                .accessToken(["\(seed.secondAPIIdentifier)/ToDoList.Read"]),
                .token(["\(seed.secondAPIIdentifier)/ToDoList.Read"])
            ),
            (.accessToken([seed.toDoReadScope]), .token([seed.toDoReadScope])),
            (.accessToken([seed.toDoReadScope], forceRefresh: true), .token([seed.toDoReadScope])),
            (.signOut, .noAccount),
            (.lookUpAccount, .noAccount)
        ),
        NativeAuthSituation(
            "tokens that are rejected",
            story: (
                .signIn("password@fabrikam.example", password: seed.password), .account("password@fabrikam.example")
            ),
            (.accessToken(["openid"]), .failure(.general)),
            (.accessToken([seed.payrollScope]), .failure(.signInRequired)),
            (.accessToken([seed.vaultScope]), .failure(.signInRequired)),
            (.accessToken([seed.toDoReadScope]), .token([seed.toDoReadScope]))
        ),
        NativeAuthSituation(
            "the second customer replaces the first one",
            story: (
                .signIn("password@fabrikam.example", password: seed.password), .account("password@fabrikam.example")
            ),
            (.signIn("guest@fabrikam.example", password: seed.password), .account("guest@fabrikam.example")),
            (.lookUpAccount, .account("guest@fabrikam.example"))
        ),
    ]
}
