// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL

@Suite("Delegates of native authentication", .timeLimit(.minutes(1)))
@MainActor
struct APIDelegateTests {
    private let lee = MSALNativeAuthSignInParameters(username: "lee@contoso.com")

    @Test func `a delegate without the member gets a general error that names it`() async throws {
        let script = try NativeScript(.started("ct-1"), .code("ct-2"))
        let mute = Mute()
        lee.correlationId = UUID()

        let error = await mute.error { script.application.signIn(parameters: lee, delegate: mute) }

        let start = try #require(error as? SignInStartError)
        #expect(start.errorDescription?.contains("onSignInCodeRequired") == true)
        #expect(start.errorCodes == [])
        #expect(start.correlationId == lee.correlationId)
        #expect(![start.isBrowserRequired, start.isUserNotFound, start.isInvalidCredentials].contains(true))
        #expect(mute.calls == 1)
    }

    @Test func `a missing completion leaves the user signed in`() async throws {
        let script = try NativeScript(.started("ct-1"), .password("ct-2"), .tokens())
        let mute = Mute()
        lee.password = "secret"

        let error = await mute.error { script.application.signIn(parameters: lee, delegate: mute) }

        #expect(error?.errorDescription?.contains("onSignInCompleted") == true)
        #expect(script.application.getNativeAuthUserAccount()?.account.username == "lee@contoso.com")
    }

    @Test func `an empty code comes back with the same state, without a request`() async throws {
        let script = try NativeScript(.started("ct-1"), .code("ct-2"))
        let app = Listener()
        guard case .code(let state) = await app.event({ script.application.signIn(parameters: lee, delegate: app) })
        else { throw Unexpected() }

        let answer = await app.event { state.submitCode(code: "", delegate: app) }

        guard case .codeError(let error, let newState) = answer else { throw Unexpected() }
        #expect(error.isInvalidCode)
        #expect(newState === state)
        #expect(script.service.messages.count == 2)
    }

    @Test func `a wrong code returns a new state, which can continue`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .code("ct-2"),
            .refused("invalid_grant", suberror: "invalid_oob_value", codes: [50181], at: "token"),
            .tokens()
        )
        let app = Listener()
        guard case .code(let state) = await app.event({ script.application.signIn(parameters: lee, delegate: app) })
        else { throw Unexpected() }
        guard
            case .codeError(let error, let newState?) = await app.event({ state.submitCode(code: "1", delegate: app) })
        else { throw Unexpected() }
        #expect(error.isInvalidCode && error.errorCodes == [50181] && newState !== state)
        #expect(error.errorNumber == 50181 && error.errorCause == nil && error.helpURL?.query() == "code=50181")
        #expect(error.serverError?.suberror == "invalid_oob_value" && error.serverError?.traceId == "trace-1")

        let end = await app.event { newState.submitCode(code: "2", delegate: app) }

        guard case .completed(let user) = end else { throw Unexpected() }
        #expect(user.account.username == "lee@contoso.com")
        #expect(app.calls == 3)
        try script.service.verify()
    }

    @available(*, deprecated)
    @Test func `an app with the older MFA delegate gets no methods, and the only one is challenged`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .refused("invalid_grant", suberror: "mfa_required", codes: [50076], token: "ct-3", at: "token"),
            .methods("ct-4", ids: "one"),
            .code("ct-5")
        )
        lee.password = "secret"
        let app = OlderApp()

        await app.until { script.application.signIn(parameters: lee, delegate: app) }

        #expect(app.log == ["awaiting", "verification", "methods one@c***"])
        #expect(script.form(4)["id"] == "one")
        try script.service.verify()
    }

    @available(*, deprecated)
    @Test func `an app of the older MFA chooses among several methods`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .refused("invalid_grant", suberror: "mfa_required", codes: [50076], token: "ct-3", at: "token"),
            .methods("ct-4", ids: "one", "two"),
            .code("ct-5")
        )
        lee.password = "secret"
        let app = OlderApp()

        await app.until { script.application.signIn(parameters: lee, delegate: app) }

        #expect(app.log == ["awaiting", "selection one@c*** two@c***", "verification", "methods one@c*** two@c***"])
        #expect(script.form(4)["id"] == "two")
        try script.service.verify()
    }

    @available(*, deprecated)
    @Test(arguments: [1, 2])
    func `an app of the older MFA asks for another code without a method`(_ count: Int) async throws {
        let script = try NativeScript(
            answers: [
                .started("ct-1"),
                .password("ct-2"),
                .refused("invalid_grant", suberror: "mfa_required", codes: [50076], token: "ct-3", at: "token"),
                count == 1 ? .methods("ct-4", ids: "one") : .methods("ct-4", ids: "one", "two"),
                .code("ct-5"),
                .code("ct-6"),
            ],
            store: MemoryStore()
        )
        lee.password = "secret"
        let app = OlderApp(again: true)

        await app.until { script.application.signIn(parameters: lee, delegate: app) }

        let choice = count == 1 ? [] : ["selection one@c*** two@c***"]
        let methods = count == 1 ? "methods one@c***" : "methods one@c*** two@c***"
        #expect(app.log == ["awaiting"] + choice + ["verification"] + choice + ["verification", methods])
        #expect(script.form(5)["id"] == (count == 1 ? "one" : "two"))
        try script.service.verify()
    }

    @Test func `a factor after a second factor fails, because the delegate has no member for it`() async throws {
        let mfaNeeded = ScriptedTransport.Response.refused(
            "invalid_grant",
            suberror: "mfa_required",
            codes: [50076],
            token: "ct-3",
            at: "token"
        )
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            mfaNeeded,
            .methods("ct-4", ids: "one"),
            .code("ct-5"),
            mfaNeeded,
            .methods("ct-6", ids: "two")
        )
        lee.password = "secret"
        let app = SecondFactorApp()

        let error = try #require(await app.error { script.application.signIn(parameters: lee, delegate: app) })

        #expect(error.errorDescription == "General error")
        #expect(!error.isInvalidChallenge && !error.isBrowserRequired && app.newState == nil)
        #expect(error.underlyingError?.localizedDescription.contains("a further factor") == true)
        try script.service.verify()
    }

    @Test func `calls of delegates may nest`() {
        var inner: Bool?

        let outer = OptionalMember.isPresent {
            inner = OptionalMember.isPresent { OptionalMember.markMissing() }
        }

        #expect(outer)
        #expect(inner == false)
    }
}

struct Unexpected: Error {}

/// Adopts every delegate and has no optional member: that this compiles is half of the test
/// (docs/reference/NativeAuthentication.md#delegates).
@MainActor
private final class Mute: SignInStartDelegate, SignInPasswordRequiredDelegate, SignInVerifyCodeDelegate,
    SignInResendCodeDelegate, SignInAfterSignUpDelegate, SignInAfterResetPasswordDelegate, MFARequestChallengeDelegate,
    MFASubmitChallengeDelegate, RegisterStrongAuthChallengeDelegate, RegisterStrongAuthSubmitChallengeDelegate,
    SignUpStartDelegate, SignUpVerifyCodeDelegate, SignUpResendCodeDelegate, SignUpPasswordRequiredDelegate,
    SignUpAttributesRequiredDelegate, ResetPasswordStartDelegate, ResetPasswordVerifyCodeDelegate,
    ResetPasswordResendCodeDelegate, ResetPasswordRequiredDelegate, CredentialsDelegate
{
    private(set) var calls = 0
    private var waiting: CheckedContinuation<MSALNativeAuthError?, Never>?

    func error(_ start: () -> Void) async -> MSALNativeAuthError? {
        await withCheckedContinuation { continuation in
            waiting = continuation
            start()
        }
    }

    private func take(_ error: MSALNativeAuthError) {
        calls += 1
        waiting?.resume(returning: error)
        waiting = nil
    }

    func onSignInStartError(error: SignInStartError) { take(error) }
    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        take(error)
    }
    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) { take(error) }
    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) { take(error) }
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { take(error) }
    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) { take(error) }
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) { take(error) }
    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) { take(error) }
    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError,
        newState: RegisterStrongAuthState?
    ) { take(error) }
    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError,
        newState: RegisterStrongAuthVerificationRequiredState?
    ) { take(error) }
    func onSignUpStartError(error: SignUpStartError) { take(error) }
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) { take(error) }
    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) { take(error) }
    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        take(error)
    }
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) { take(error) }
    func onResetPasswordStartError(error: ResetPasswordStartError) { take(error) }
    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        take(error)
    }
    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        take(error)
    }
    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        take(error)
    }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { take(error) }
}

/// Signs in with a code.
@MainActor
private final class Listener: SignInStartDelegate, SignInVerifyCodeDelegate {
    enum Event {
        case code(SignInCodeRequiredState)
        case startError(SignInStartError)
        case codeError(VerifyCodeError, SignInCodeRequiredState?)
        case completed(MSALNativeAuthUserAccountResult)
    }

    private(set) var calls = 0
    private var waiting: CheckedContinuation<Event, Never>?

    func event(_ start: () -> Void) async -> Event {
        await withCheckedContinuation { continuation in
            waiting = continuation
            start()
        }
    }

    private func take(_ event: Event) {
        calls += 1
        waiting?.resume(returning: event)
        waiting = nil
    }

    func onSignInStartError(error: SignInStartError) { take(.startError(error)) }
    func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) { take(.code(newState)) }
    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        take(.codeError(error, newState))
    }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) { take(.completed(result)) }
}

/// Completes the first second factor, and waits for the error that follows.
@MainActor
private final class SecondFactorApp: SignInStartDelegate, MFARequestChallengeDelegate, MFASubmitChallengeDelegate {
    private(set) var newState: MFARequiredState?
    private var waiting: CheckedContinuation<MFASubmitChallengeError?, Never>?

    func error(_ start: () -> Void) async -> MFASubmitChallengeError? {
        await withCheckedContinuation { continuation in
            waiting = continuation
            start()
        }
    }

    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        newState.requestChallenge(authMethod: authMethods[0], delegate: self)
    }

    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        newState.submitChallenge(challenge: "1", delegate: self)
    }

    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        self.newState = newState
        waiting?.resume(returning: error)
    }

    func onSignInStartError(error: SignInStartError) { waiting?.resume(returning: nil) }
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        waiting?.resume(returning: nil)
    }
}

/// In the form of Microsoft's sample for MSAL 1.6 to 2.4.
@MainActor
@available(*, deprecated)
private final class OlderApp: SignInStartDelegate, MFARequestChallengeDelegate, MFAGetAuthMethodsDelegate {
    private(set) var log: [String] = []
    private var waiting: CheckedContinuation<Void, Never>?
    private var again: Bool

    /// - Parameter again: Whether a second code is requested, without naming a method.
    init(again: Bool = false) {
        self.again = again
    }

    /// Returns when the flow that `start` begins has ended.
    func until(_ start: () -> Void) async {
        await withCheckedContinuation { continuation in
            waiting = continuation
            start()
        }
    }

    private func end(_ text: String) {
        log.append(text)
        waiting?.resume()
        waiting = nil
    }

    func onSignInStartError(error: SignInStartError) { end("error \(error.errorDescription ?? "")") }

    func onSignInAwaitingMFA(newState: AwaitingMFAState) {
        log.append("awaiting")
        newState.requestChallenge(delegate: self)
    }

    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        end("error \(error.errorDescription ?? "")")
    }

    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        log.append("verification")
        guard again else { return newState.getAuthMethods(delegate: self) }
        again = false
        if log.count == 2 {
            newState.requestChallenge(delegate: self)
        } else {
            newState.requestChallenge(authMethod: nil, delegate: self)
        }
    }

    func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        log.append("selection " + names(authMethods))
        if let method = authMethods.last { newState.requestChallenge(authMethod: method, delegate: self) }
    }

    func onMFAGetAuthMethodsError(error: MFAGetAuthMethodsError, newState: MFARequiredState?) {
        end("error \(error.errorDescription ?? "")")
    }

    func onMFAGetAuthMethodsSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        end("methods " + names(authMethods))
    }

    private func names(_ methods: [MSALAuthMethod]) -> String {
        methods.compactMap(\.loginHint).joined(separator: " ")
    }
}
