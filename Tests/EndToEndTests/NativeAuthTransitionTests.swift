// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

@testable import MSAL

/// Native authentication from the app to the platform, through both interfaces.
///
/// The time limit is for a delegate that is never called, which would block a test forever.
@Suite(.timeLimit(.minutes(1)))
struct NativeAuthTransitionTests {
    @Test(arguments: NativeAuthSituations.all(.v1))
    func `delegates report each step of the service`(situation: NativeAuthSituation) async throws {
        try await play(situation, through: NativeAuthDelegateDriver.self)
    }

    @Test(arguments: NativeAuthSituations.all(.v1))
    func `async functions return each step of the service`(situation: NativeAuthSituation) async throws {
        try await play(situation, through: NativeAuthAsyncDriver.self)
    }

    @Test(arguments: NativeAuthSituations.all(.v2))
    func `delegates of V2 report each step of the service`(situation: NativeAuthSituation) async throws {
        try await play(situation, through: NativeAuthFlowDelegateDriver.self, comparing: \.toldToDelegates)
    }

    @Test(arguments: NativeAuthSituations.all(.v2))
    func `async functions of V2 return each step of the service`(situation: NativeAuthSituation) async throws {
        try await play(situation, through: NativeAuthFlowDriver.self)
    }

    @Test func `a delegate is notified that a reset failed, and starts again`() async throws {
        let situation = NativeAuthSituation(
            "a reset that fails",
            story: (.resetPassword("reset-fails@fabrikam.example"), .resetCode(to: "r***s@fa******.example")),
            (.code(from: "reset-fails@fabrikam.example"), .newPassword),
            (.password("Correct-horse-1"), .failure(.general))
        )
        try await play(situation, through: NativeAuthDelegateDriver.self)
    }

    @Test func `an async function that returns a failed reset can be called again`() async throws {
        let situation = NativeAuthSituation(
            "a reset that fails, and then succeeds",
            story: (.resetPassword("reset-fails@fabrikam.example"), .resetCode(to: "r***s@fa******.example")),
            (.code(from: "reset-fails@fabrikam.example"), .newPassword),
            (.password("Correct-horse-1"), .failure(.general, retry: true)),
            (
                .meanwhile { emulator in
                    try await emulator.changeCustomer("reset-fails@fabrikam.example") { $0.resetOutcome = .succeeds }
                }, nil
            ),
            (.password("Correct-horse-2"), .passwordReset),
            (.signInAfterwards, .account("reset-fails@fabrikam.example"))
        )
        try await play(situation, through: NativeAuthAsyncDriver.self)
    }

    private func play(
        _ situation: NativeAuthSituation,
        through face: any NativeAuthDriver.Type,
        comparing part: (NativeAuthObservation) -> NativeAuthObservation = { $0 }
    ) async throws {
        try await NativeAuthStage.run(situation) { stage in
            let driver = face.init(stage.application)
            for (move, expected) in situation.story {
                switch move {
                case .meanwhile(let happening): try await happening(stage.emulator)
                case .code(let address):
                    let code = try #require(stage.emulator.newestCode(for: address))
                    let observation = try await driver.make(.typedCode(code))
                    #expect(part(observation) == expected.map(part))
                default:
                    let observation = try await driver.make(move)
                    #expect(part(observation) == expected.map(part))
                }
            }
        }
    }

    @Test func `tokens for two APIs may be requested concurrently, with strict rotation`() async throws {
        try await NativeAuthStage.run { stage in
            let seed = stage.emulator.seed
            let parameters = MSALNativeAuthSignInParameters(username: "password@fabrikam.example")
            parameters.password = seed.password
            guard case .completed(let account) = try await stage.application.signIn(parameters: parameters) else {
                Issue.record("the sign-in did not end")
                return
            }
            func token(_ scope: String) async throws -> [String] {
                let parameters = MSALNativeAuthGetAccessTokenParameters()
                parameters.scopes = [scope]
                return try await account.getAccessToken(parameters: parameters).scopes
            }
            let secondScope = "\(seed.secondAPIIdentifier)/ToDoList.Read"
            async let first = token(seed.toDoReadScope)
            async let second = token(secondScope)
            let scopes = try await [first, second]
            let later = try await token("\(seed.apiIdentifier)/ToDoList.ReadWrite")

            #expect(scopes == [[seed.toDoReadScope], [secondScope]])
            #expect(later == ["\(seed.apiIdentifier)/ToDoList.ReadWrite"])
        }
    }

    @Test func `the stories cover every state and transition of the reference`() {
        let reached = Set(NativeAuthSituations.all(.v1).flatMap(\.transitions))

        #expect(Self.referenceTransitions.filter { !reached.contains($0) } == [])
    }

    /// The table of docs/reference/NativeAuthentication.md#states, one line for each next state.
    private static let referenceTransitions = [
        "(application) signIn(username) → SignInCodeRequiredState",
        "(application) signIn(username) → SignInPasswordRequiredState",
        "(application) signIn(username, password) → account result",
        "(application) signIn(username, password) → AwaitingMFAState",
        "(application) signIn(username, password) → RegisterStrongAuthState",
        "(application) signIn(username, password) → SignInCodeRequiredState",
        "SignInCodeRequiredState submitCode → account result",
        "SignInCodeRequiredState submitCode → AwaitingMFAState",
        "SignInCodeRequiredState submitCode → RegisterStrongAuthState",
        "SignInCodeRequiredState resendCode → SignInCodeRequiredState",
        "SignInPasswordRequiredState submitPassword → account result",
        "SignInPasswordRequiredState submitPassword → AwaitingMFAState",
        "SignInPasswordRequiredState submitPassword → RegisterStrongAuthState",
        "AwaitingMFAState requestChallenge → MFARequiredState",
        "MFARequiredState requestChallenge → MFARequiredState",
        "MFARequiredState submitCode → account result",
        "RegisterStrongAuthState challengeAuthMethod → RegisterStrongAuthVerificationRequiredState",
        "RegisterStrongAuthState challengeAuthMethod → account result",
        "RegisterStrongAuthVerificationRequiredState challengeAuthMethod → "
            + "RegisterStrongAuthVerificationRequiredState",
        "RegisterStrongAuthVerificationRequiredState challengeAuthMethod → account result",
        "RegisterStrongAuthVerificationRequiredState submitCode → account result",
        "(application) signUp → SignUpCodeRequiredState",
        "SignUpCodeRequiredState submitCode → SignInAfterSignUpState",
        "SignUpCodeRequiredState submitCode → SignUpPasswordRequiredState",
        "SignUpCodeRequiredState submitCode → SignUpAttributesRequiredState",
        "SignUpCodeRequiredState resendCode → SignUpCodeRequiredState",
        "SignUpPasswordRequiredState submitPassword → SignInAfterSignUpState",
        "SignUpPasswordRequiredState submitPassword → SignUpAttributesRequiredState",
        "SignUpAttributesRequiredState submitAttributes → SignInAfterSignUpState",
        "SignUpAttributesRequiredState submitAttributes → SignUpAttributesRequiredState",
        "SignInAfterSignUpState signIn → account result",
        "SignInAfterSignUpState signIn → AwaitingMFAState",
        "SignInAfterSignUpState signIn → RegisterStrongAuthState",
        "SignInAfterResetPasswordState signIn → account result",
        "SignInAfterResetPasswordState signIn → AwaitingMFAState",
        "SignInAfterResetPasswordState signIn → RegisterStrongAuthState",
        "(application) resetPassword → ResetPasswordCodeRequiredState",
        "ResetPasswordCodeRequiredState submitCode → ResetPasswordRequiredState",
        "ResetPasswordCodeRequiredState resendCode → ResetPasswordCodeRequiredState",
        "ResetPasswordRequiredState submitPassword → SignInAfterResetPasswordState",
        "account result getAccessToken → token result",
        "account result signOut → no account",
        "(application) getNativeAuthUserAccount → account result",
        "(application) getNativeAuthUserAccount → no account",
    ]
}
