// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import MSALCore
import MSALTesting
import TestSupport

@testable import MSAL

/// The public types of `MSAL`.
enum ClientSamples {
    private static let mark = PublicTypesTests.mark

    static let closed: [Named] = [
        MSALAPIClient.self, MSALAPIRequest.self, MSALAPIResponse.self, MSALDeviceTokenResult.self,
        MSALExternalKeyPair.self,
        MSALNativeAuthBaseState.self,
        MSALNativeAuthBrowserHandover.self, MSALNativeAuthFlowStep.AttributesRequired.self,
        MSALNativeAuthFlowStep.AuthMethodSelectionRequired.self, MSALNativeAuthFlowStep.CodeRequired.self,
        MSALNativeAuthFlowStep.FollowingSignIn.self, MSALNativeAuthFlowStep.MFACodeRequired.self,
        MSALNativeAuthFlowStep.NewPasswordRequired.self, MSALNativeAuthFlowStep.PasswordRequired.self,
        MSALNativeAuthFlowStep.RegistrationCodeRequired.self, MSALNativeAuthFlowStep.RegistrationRequired.self,
        MSALNativeAuthFollowingSignIn.self, MSALNativeAuthResetPasswordParametersV2.self,
        MSALNativeAuthResetPasswordStep.CodeRequired.self, MSALNativeAuthResetPasswordStep.PasswordRequired.self,
        MSALNativeAuthSignInParameters.self, MSALNativeAuthSignInParametersV2.self,
        MSALNativeAuthSignInStep.CodeRequired.self,
        MSALNativeAuthSignInStep.MFACodeRequired.self, MSALNativeAuthSignInStep.MFARequired.self,
        MSALNativeAuthSignInStep.PasswordRequired.self, MSALNativeAuthSignInStep.RegistrationCodeRequired.self,
        MSALNativeAuthSignInStep.RegistrationRequired.self, MSALNativeAuthSignUpParameters.self,
        MSALNativeAuthSignUpParametersV2.self, MSALNativeAuthState.self,
        MSALNativeAuthSignUpStep.AttributesRequired.self, MSALNativeAuthSignUpStep.CodeRequired.self,
        MSALNativeAuthSignUpStep.PasswordRequired.self, MSALNativeAuthTokenResult.self,
        MSALNativeAuthUserAccountResult.self, MSALPasteResult.self, MSALPublicClientApplication.self,
        MSALResult.self, MSALSSOCookie.self, MSALSerializedCacheProvider.self, MSALTokenStore.self,
        SignInAfterPreviousFlowBaseState.self,
    ].map { Named($0) }

    /// Types without a secret, with the reason.
    static let harmless: [String: [String]] = [
        "settings and options of the app": [
            "MSALAccountEnumerationParameters", "MSALAuthenticationSchemeBearer", "MSALAuthenticationSchemePop",
            "MSALCacheConfig", "MSALClaimsRequest", "MSALDeviceCodeTokenParameters", "MSALDeviceTokenParameters",
            "MSALGlobalConfig", "MSALHTTPConfig", "MSALIndividualClaimRequest",
            "MSALIndividualClaimRequestAdditionalInfo", "MSALInteractiveTokenParameters", "MSALLandingPage",
            "MSALLandingPage.Page", "MSALLandingPage.Text", "MSALLogger", "MSALLoggerConfig",
            "MSALNativeAuthChallengeAuthMethodParameters", "MSALNativeAuthGetAccessTokenParameters",
            "MSALNativeAuthPublicClientApplicationConfig", "MSALNativeAuthResetPasswordParameters",
            "MSALNativeAuthSignInAfterResetPasswordParameters", "MSALNativeAuthSignInAfterSignUpParameters",
            "MSALParameters", "MSALPublicClientApplicationConfig", "MSALRetryPolicy", "MSALSignoutParameters",
            "MSALSilentTokenParameters", "MSALSliceConfig", "MSALStoreProtection", "MSALTelemetry",
            "MSALTelemetryConfig", "MSALTokenParameters", "MSALWebviewParameters",
        ],
        "addresses, names and ids": [
            "MSALAADAuthority", "MSALADFSAuthority", "MSALAccount", "MSALAccountChange",
            "MSALAccountId", "MSALAuthMethod", "MSALAuthority",
            "MSALB2CAuthority", "MSALCIAMAuthority", "MSALDeviceInformation", "MSALNativeAuthChannelType",
            "MSALNativeAuthCodeDelivery", "MSALNativeAuthRequiredAttribute", "MSALRedirectUri", "MSALTenantProfile",
            "MSALTokenSource", "MSALWPJMetaData",
        ],
        "facts about the machine and the store": [
            "MSALBrokerCheckup", "MSALBrokerCheckup.Presence", "MSALBrokerReport", "MSALBrokerReport.Call",
            "MSALBrowser", "MSALMachine", "MSALServiceCheckup", "MSALServiceCheckup.Failure",
            "MSALServiceCheckup.SigningKeys", "MSALSignInPageResponse", "MSALSignInPageResponse.Outcome",
            "MSALSignInPlan", "MSALSignInPlan.Step", "MSALTokenStoreCheckup", "MSALTokenStoreCheckup.Exposure",
            "MSALTokenStoreClearing", "MSALTokenStoreClearing.Outcome", "MSALTokenStoreImport",
            "MSALTokenStoreImport.Counts", "MSALTokenStoreRepair", "MSALTokenStoreRotation",
            "MSALTokenStoreStatistics", "MSALTokenStoreStatistics.Key",
        ],
        "its purpose is to be shown to the user": ["MSALDeviceCode", "MSALPastePrompt"],
        "contains types that are checked separately": [
            "MSALDeviceCodeState", "MSALDeviceCodeStates", "MSALDeviceCodeStates.Iterator", "MSALNativeAuthFlowStep",
            "MSALNativeAuthRegisterStrongAuthVerificationRequiredResult", "MSALNativeAuthResetPasswordStep",
            "MSALNativeAuthSignInStep", "MSALNativeAuthSignUpStep", "MSALNativeAuthSignUpStep.AttributesInvalid",
        ],
        "no more than MSALNativeAuthError, which is printed": [
            "AttributesRequiredError", "MSALNativeAuthFlowError", "MFAGetAuthMethodsError", "MFARequestChallengeError",
            "MFASubmitChallengeError",
            "MSALNativeAuthGenericError", "MSALNativeAuthServerError", "PasswordRequiredError",
            "RegisterStrongAuthChallengeError", "RegisterStrongAuthSubmitChallengeError", "ResendCodeError",
            "ResetPasswordStartError", "RetrieveAccessTokenError", "SignInAfterResetPasswordError",
            "SignInAfterSignUpError", "SignInStartError", "SignUpStartError", "VerifyCodeError",
        ],
    ].mapValues { $0.map { "MSAL.\($0)" } }

    static func all() throws -> [Any] {
        let variables = ["HOME": "/home/\(mark)", "CLIENT_SECRET": "\(mark)-secret", "MSAL_STORE_DIR": "/tmp/\(mark)"]
        let platform = Platform(
            transport: ScriptedTransport([]),
            agent: StubAgent { _, _ in [:] },
            time: ManualTime(),
            environment: variables
        )
        let configuration = MSALPublicClientApplicationConfig(clientId: "00000000-0000-4000-8000-000000000001")
        guard let proxy = URL(string: "http://app:\(mark)-url@proxy.example") else { throw URLError(.badURL) }
        configuration.proxy = try MSALProxy(url: proxy, user: "app", password: "\(mark)-password")
        let application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: platform,
            store: MemoryStore(),
            session: CurrentSession()
        )
        let signIn = MSALNativeAuthSignInParameters(username: "megan@contoso.example")
        signIn.password = "\(mark)-password"
        let signUp = MSALNativeAuthSignUpParameters(username: "megan@contoso.example")
        signUp.password = "\(mark)-password"
        var request = MSALAPIRequest(url: URL(filePath: "/"))
        request.headers["Authorization"] = "Pop \(mark)-token"
        let failure = NativeAuthFailure(
            .invalidCode,
            keeping: .continuation(
                NativeAuth.Continuation(
                    token: Secret("\(mark)-continuation"),
                    correlationID: UUID(),
                    username: "megan@contoso.example"
                )
            ),
            correlationID: UUID()
        )
        return [
            application, configuration, signIn, signUp, request, MSALAPIClient(),
            MSALAPIResponse(status: 200, body: Data("\(mark)-body".utf8)),
            try MSALTokenStore(group: "msal.tests", environment: variables),
            MSALNativeAuthTokenResult(
                accessToken: Secret("\(mark)-access"),
                refreshToken: Secret("\(mark)-refresh"),
                scopes: ["User.Read"],
                expiresOn: nil
            ),
            MSALDeviceTokenResult(
                accessToken: "\(mark)-device",
                deviceInformation: nil,
                expiresOn: nil,
                scopes: [],
                authority: nil
            ),
            MSALResult(
                accessToken: "\(mark)-access",
                account: MSALAccount(username: "megan@contoso.example", claims: ["name": "Megan Bowen"])
            ),
            try MSALProxy(url: proxy), configuration.proxy,
            MSALPasteResult.text("http://localhost/?code=\(mark)-code"),
            MSALNativeAuthError(failure), MSALNativeAuthStepError(failure),
        ]
    }
}
