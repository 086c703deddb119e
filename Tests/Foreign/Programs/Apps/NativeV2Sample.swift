// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app in the form of Microsoft's sample for native authentication, with V2 of MSAL 2.18: one delegate for every flow, and
/// a protocol for each state that the app has a view for.
///
/// It signs in with a second factor and calls two APIs, signs up with attributes, and resets a password.
@MainActor
final class NativeV2Sample {
    private let nativeAuth: MSALNativeAuthPublicClientApplication
    private let signUpApp: MSALNativeAuthPublicClientApplication
    private var passwordState: MSALNativeAuthPasswordRequiredState?
    private var newPasswordState: MSALNativeAuthNewPasswordRequiredState?
    private var errors: [String] = []
    private var codes = 0
    private var tokens: [String] = []
    private var result: MSALNativeAuthUserAccountResult?

    init() throws {
        nativeAuth = try Bench.nativeApplication()
        signUpApp = try Bench.nativeApplication(clientID: "00000000-0000-4000-8000-000000000002")
    }

    func signInPressed() {
        let parameters = MSALNativeAuthSignInParametersV2(username: "mfa-choice@fabrikam.example")
        parameters.scopes = ["User.Read"]
        parameters.correlationId = UUID()
        nativeAuth.signInV2(parameters: parameters, delegate: self)
    }

    func signUpPressed() {
        let parameters = MSALNativeAuthSignUpParametersV2(username: "lee@customer.example")
        parameters.attributes = ["displayName": "Lee"]
        signUpApp.signUpV2(parameters: parameters, delegate: self)
    }

    func resetPressed() {
        let parameters = MSALNativeAuthResetPasswordParametersV2(username: "password@fabrikam.example")
        nativeAuth.resetPasswordV2(parameters: parameters, delegate: self)
    }

    private func callAPI() {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        let api = tokens.isEmpty ? "1" : "2"
        parameters.scopes = ["api://00000000-0000-4000-8000-0000000000a\(api)/ToDoList.Read"]
        result?.getAccessToken(parameters: parameters, delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthFlowDelegate {
    func onFlowCompleted(result: MSALNativeAuthUserAccountResult, scenario: MSALNativeAuthFlowScenario) {
        dispatchPrecondition(condition: .onQueue(.main))
        switch scenario {
        case .signIn:
            Bench.expect(result.account.username == "mfa-choice@fabrikam.example", "another user is signed in")
            Bench.expect(codes == 2, "the code was not sent twice")
            self.result = result
            callAPI()
        case .signUp:
            Bench.expect(result.account.username == "lee@customer.example", "another user is signed up")
            result.signOut()
            resetPressed()
        case .passwordReset:
            Bench.expect(errors == ["wrong password", "weak password"], "the errors were \(errors)")
            Bench.pass()
        default:
            Bench.fail("an unknown flow ended")
        }
    }

    func onFlowError(error: MSALNativeAuthFlowError, scenario: MSALNativeAuthFlowScenario) {
        if error.isInvalidPassword, scenario == .signIn {
            errors.append("wrong password")
            passwordState?.submitPassword("Pa55-word!", delegate: self)
        } else if error.isInvalidPassword, scenario == .passwordReset {
            errors.append("weak password")
            newPasswordState?.submitNewPassword("Gr8-secret!", delegate: self)
        } else {
            Bench.fail("\(scenario.rawValue): \(error.errorDescription ?? "") \(error.errorCodes)")
        }
    }
}

extension NativeV2Sample: MSALNativeAuthPasswordRequiredDelegate {
    func onPasswordRequired(state: MSALNativeAuthPasswordRequiredState, scenario: MSALNativeAuthFlowScenario) {
        passwordState = state
        state.submitPassword(scenario == .signUp ? "Gr8-secret!" : "mistyped", delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthAuthMethodSelectionRequiredDelegate {
    func onAuthMethodSelectionRequired(
        state: MSALNativeAuthAuthMethodSelectionRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        Bench.expect(state.authMethods.count == 2, "there is no choice of methods")
        guard let telephone = state.authMethods.first(where: { $0.channelTargetType.isSMSType }) else {
            Bench.fail("there is no method by SMS")
        }
        state.selectAuthMethod(telephone, delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthMFAVerificationRequiredDelegate {
    func onMFAVerificationRequired(
        state: MSALNativeAuthMFAVerificationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        codes += 1
        Bench.expect(state.codeLength == 8 && state.sentTo.hasSuffix("42"), "the code was sent to \(state.sentTo)")
        if codes == 1 {
            state.resendChallenge(delegate: self)
        } else {
            state.submitChallenge(Bench.code(sentTo: "+15550142"), delegate: self)
        }
    }
}

extension NativeV2Sample: MSALNativeAuthCodeRequiredDelegate {
    func onCodeRequired(state: MSALNativeAuthCodeRequiredState, scenario: MSALNativeAuthFlowScenario) {
        let isSignUp = scenario == .signUp
        let code = Bench.code(sentTo: isSignUp ? "lee@customer.example" : "password@fabrikam.example")
        state.submitCode(code, delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthAttributesRequiredDelegate {
    func onAttributesRequired(state: MSALNativeAuthAttributesRequiredState, scenario: MSALNativeAuthFlowScenario) {
        let names = state.attributes.map(\.name)
        Bench.expect(names == ["postalCode"], "the attributes are \(names)")
        state.submitAttributes(["postalCode": "12345"], delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthSignInAfterSignUpRequiredDelegate {
    func onSignInAfterSignUpRequired(
        state: MSALNativeAuthSignInAfterSignUpState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthNewPasswordRequiredDelegate {
    func onNewPasswordRequired(state: MSALNativeAuthNewPasswordRequiredState, scenario: MSALNativeAuthFlowScenario) {
        newPasswordState = state
        state.submitNewPassword("weak", delegate: self)
    }
}

extension NativeV2Sample: MSALNativeAuthSignInAfterResetPasswordRequiredDelegate {
    func onSignInAfterResetPasswordRequired(
        state: MSALNativeAuthSignInAfterResetPasswordState,
        scenario: MSALNativeAuthFlowScenario
    ) {
        state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: self)
    }
}

extension NativeV2Sample: CredentialsDelegate {
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        Bench.fail("token: \(error.errorDescription ?? "")")
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        tokens.append(result.accessToken)
        if tokens.count == 1 { return callAPI() }
        Bench.expect(tokens[0] != tokens[1] && !tokens[1].isEmpty, "two APIs got one token")
        self.result?.signOut()
        signUpPressed()
    }
}

@main struct Phone {
    @MainActor static func main() throws {
        let app = try NativeV2Sample()
        app.signInPressed()
        RunLoop.main.run()
    }
}
