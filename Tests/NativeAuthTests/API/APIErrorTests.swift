// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALCore

@Suite("Errors of native authentication")
struct APIErrorTests {
    private let id = UUID()

    private func failure(
        _ kind: NativeAuthFailure.Kind,
        keeping remaining: NativeAuthFailure.Remaining = .nothing,
        message: String? = nil,
        underlying: AuthError? = nil
    ) -> NativeAuthFailure {
        NativeAuthFailure(kind, keeping: remaining, message: message, correlationID: id, underlying: underlying)
    }

    @Test func `each flag belongs to one kind`() {
        let start = [
            SignInStartError(failure(.general)), SignInStartError(failure(.browserRequired)),
            SignInStartError(failure(.userNotFound)), SignInStartError(failure(.invalidCredentials)),
            SignInStartError(failure(.invalidUsername)),
        ]
        #expect(
            start.map { [$0.isBrowserRequired, $0.isUserNotFound, $0.isInvalidCredentials, $0.isInvalidUsername] } == [
                [false, false, false, false], [true, false, false, false], [false, true, false, false],
                [false, false, true, false], [false, false, false, true],
            ]
        )
        let signUp = SignUpStartError(failure(.userAlreadyExists))
        #expect(signUp.isUserAlreadyExists && !signUp.isInvalidPassword && !signUp.isInvalidUsername)
        let reset = ResetPasswordStartError(failure(.userDoesNotHavePassword))
        #expect(reset.isUserDoesNotHavePassword && !reset.isUserNotFound && !reset.isBrowserRequired)
        #expect(VerifyCodeError(failure(.invalidCode)).isInvalidCode)
        #expect(PasswordRequiredError(failure(.invalidPassword)).isInvalidPassword)
        #expect(MFARequestChallengeError(failure(.authMethodBlocked)).isAuthMethodBlocked)
        #expect(MFASubmitChallengeError(failure(.invalidChallenge)).isInvalidChallenge)
        #expect(RegisterStrongAuthChallengeError(failure(.invalidInput)).isInvalidInput)
        #expect(
            RegisterStrongAuthChallengeError(failure(.verificationContactBlocked)).isVerificationContactBlocked
        )
        #expect(RegisterStrongAuthSubmitChallengeError(failure(.invalidChallenge)).isInvalidChallenge)
        #expect(ResendCodeError(failure(.browserRequired)).isBrowserRequired)
        #expect(!SignInAfterSignUpError(failure(.general)).isBrowserRequired)
    }

    @Test(arguments: [
        (NativeAuthFailure.Kind.general, "General error"), (.userNotFound, "User does not exist"),
        (.invalidCredentials, "Invalid credentials"), (.invalidUsername, "Invalid username"),
    ])
    func `a failure without a message has MSAL for iOS's short text`(_ kind: NativeAuthFailure.Kind, _ text: String) {
        #expect(SignInStartError(failure(kind)).errorDescription == text)
        #expect(SignInStartError(failure(kind, message: "AADSTS: words")).errorDescription == "AADSTS: words")
    }

    @Test func `the browser's text begins and names the call as documented`() throws {
        let text = try #require(ResendCodeError(failure(.browserRequired)).errorDescription)

        #expect(text.hasPrefix("Browser required"))
        #expect(text.contains("acquireTokenInteractively"))
    }

    @Test func `a printed error contains no text from the service`() {
        let error = SignInStartError(failure(.general, message: "lee@contoso.com is locked"))

        #expect(!"\(error)".contains("lee"))
        #expect((error as any Error).localizedDescription == "lee@contoso.com is locked")
    }

    @Test func `the async error is an NSError that any catch can take`() {
        let failure = failure(.invalidCode, keeping: .same, message: "AADSTS50181: wrong")

        do {
            throw MSALNativeAuthStepError(failure)
        } catch let error as NSError {
            #expect(error.domain == MSALErrorDomain)
            #expect(error.code == MSALError.internal.rawValue)
            #expect(error.userInfo[MSALCorrelationIDKey] as? String == id.uuidString)
            #expect(error.localizedDescription == "AADSTS50181: wrong")
            #expect((error as? MSALNativeAuthStepError)?.reason == .invalidCode)
            #expect((error as? MSALNativeAuthStepError)?.canRetry == true)
        }
    }

    @Test func `an async error without a response is in the transport domain`() {
        let cause = AuthError(TransportError(.timedOut, message: "No answer came."))

        let error = MSALNativeAuthStepError(failure(.general, underlying: cause))

        #expect(error.reason == .serviceUnavailable)
        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorTimedOut)
        #expect(!error.canRetry)
    }

    @Test func `a canceled step has the error code of every cancellation`() {
        let cause = AuthError(.canceled, message: "The call was canceled.")

        let error = MSALNativeAuthStepError(failure(.general, underlying: cause))

        #expect(error.reason == .canceled)
        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == MSALError.userCanceled.rawValue)
    }

    @Test func `a step that the user ended is not retryable, whatever the state of the flow`() {
        let cancellation = AuthError(.canceled, message: "The call was canceled.")
        let silence = AuthError(TransportError(.timedOut, message: "No response came."))

        let canceled = failure(.general, keeping: .same, underlying: cancellation)
        let unanswered = failure(.general, keeping: .same, underlying: silence)

        #expect(!MSALNativeAuthStepError(canceled).canRetry)
        #expect(MSALNativeAuthStepError(unanswered).canRetry)
    }
}
