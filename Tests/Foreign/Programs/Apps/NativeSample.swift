// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app in the form of Microsoft's sample for native authentication, with the second factor of MSAL 1.6 to 2.4: it
/// asks for codes without naming a method, and sets the address to verify when it knows it.
@MainActor
final class NativeSample {
    private let nativeAuth: MSALNativeAuthPublicClientApplication
    private var codes = 0
    private var newState: MFARequiredState?

    init() throws {
        nativeAuth = try Bench.nativeApplication()
    }

    func signInPressed(_ email: String) {
        let parameters = MSALNativeAuthSignInParameters(username: email)
        parameters.password = "Pa55-word!"
        nativeAuth.signIn(parameters: parameters, delegate: self)
    }
}

extension NativeSample: SignInStartDelegate {
    func onSignInStartError(error: MSAL.SignInStartError) {
        Bench.fail("sign-in: \(error.errorDescription ?? "")")
    }

    func onSignInCompleted(result: MSAL.MSALNativeAuthUserAccountResult) {
        dispatchPrecondition(condition: .onQueue(.main))
        if codes > 0 {
            result.signOut()
            codes = 0
            return signInPressed("register@fabrikam.example")
        }
        result.getAccessToken(parameters: MSALNativeAuthGetAccessTokenParameters(), delegate: self)
    }

    func onSignInAwaitingMFA(newState: AwaitingMFAState) {
        newState.requestChallenge(delegate: self)
    }

    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        let address: String? = "register@fabrikam.example"
        let parameters = MSALNativeAuthChallengeAuthMethodParameters(authMethod: authMethods[0])
        parameters.verificationContact = address
        newState.challengeAuthMethod(parameters: parameters, delegate: self)
    }
}

extension NativeSample: MFARequestChallengeDelegate {
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        Bench.fail("challenge: \(error.errorDescription ?? "")")
    }

    func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        let hint: String = authMethods[0].loginHint
        Bench.expect(hint.contains("@"), "the method shows no address: \(hint)")
        newState.requestChallenge(authMethod: authMethods[0], delegate: self)
    }

    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        codes += 1
        switch codes {
        case 1: newState.requestChallenge(delegate: self)
        case 2: newState.requestChallenge(authMethod: nil, delegate: self)
        case 3: newState.getAuthMethods(delegate: self)
        default:
            let code = Bench.code(sentTo: "mfa-second@fabrikam.example")
            newState.submitChallenge(challenge: code, delegate: self)
        }
    }
}

extension NativeSample: MFAGetAuthMethodsDelegate {
    func onMFAGetAuthMethodsError(error: MFAGetAuthMethodsError, newState: MFARequiredState?) {
        Bench.fail("methods: \(error.errorDescription ?? "")")
    }

    func onMFAGetAuthMethodsSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        let chosen: MSALAuthMethod? = authMethods.first
        if let hint = chosen?.loginHint { Bench.expect(hint.contains("@"), "the method shows no address: \(hint)") }
        newState.requestChallenge(authMethod: chosen, delegate: self)
    }
}

extension NativeSample: MFASubmitChallengeDelegate {
    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        Bench.fail("code: \(error.errorDescription ?? "")")
    }
}

extension NativeSample: RegisterStrongAuthChallengeDelegate {
    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError,
        newState: RegisterStrongAuthState?
    ) {
        Bench.fail("registration: \(error.errorDescription ?? "")")
    }

    func onRegisterStrongAuthVerificationRequired(result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult) {
        Bench.fail("the user's own address needs a code")
    }
}

extension NativeSample: CredentialsDelegate {
    func onAccessTokenRetrieveError(error: MSAL.RetrieveAccessTokenError) {
        Bench.fail("token: \(error.errorDescription ?? "")")
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        Bench.expect(!result.accessToken.isEmpty, "there is no token")
        Bench.pass()
    }
}

@main struct Phone {
    @MainActor static func main() throws {
        let app = try NativeSample()
        app.signInPressed("mfa@fabrikam.example")
        RunLoop.main.run()
    }
}
