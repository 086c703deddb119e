// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Testing

@testable import MSAL

/// What an app does next, in terms that fit both interfaces.
enum NativeAuthMove: Sendable {
    case signIn(String, password: String? = nil, scopes: [String] = [])
    case signUp(String, password: String? = nil, attributes: [String: String]? = nil)
    case resetPassword(String)
    /// Submits the newest code that was sent to the address.
    case code(from: String)
    /// Submits this text as the code.
    case typedCode(String)
    case resendCode
    case password(String)
    case attributes([String: String])
    /// Chooses one of the methods. For a second factor, its code is sent.
    case choose(Int)
    /// Enters a contact for one of the channels in which a method can be registered.
    case register(Int, contact: String)
    /// Signs in after a sign-up or a reset.
    case signInAfterwards
    case accessToken([String], forceRefresh: Bool = false)
    case signOut
    /// Looks up the signed-in account.
    case lookUpAccount
    /// An event on the platform. The app does nothing.
    case meanwhile(@Sendable (Emulator) async throws -> Void)

    /// Whether the move may complete without a response of the service.
    var isLocal: Bool {
        switch self {
        case .meanwhile, .signOut, .lookUpAccount, .accessToken: true
        case .signIn, .signUp, .resetPassword, .code, .typedCode, .resendCode, .password, .attributes, .choose,
            .register, .signInAfterwards:
            false
        }
    }

    /// The input as in docs/reference/NativeAuthentication.md#states.
    var input: String? {
        switch self {
        case .signIn(_, let password, _): password == nil ? "signIn(username)" : "signIn(username, password)"
        case .signUp: "signUp"
        case .resetPassword: "resetPassword"
        case .code, .typedCode: "submitCode"
        case .resendCode: "resendCode"
        case .password: "submitPassword"
        case .attributes: "submitAttributes"
        case .choose: "requestChallenge"
        case .register: "challengeAuthMethod"
        case .signInAfterwards: "signIn"
        case .accessToken: "getAccessToken"
        case .signOut: "signOut"
        case .lookUpAccount: "getNativeAuthUserAccount"
        case .meanwhile: nil
        }
    }
}

/// The versions of native authentication, which an app chooses by its first call.
enum NativeAuthVersion: Sendable, CaseIterable {
    case v1, v2

    /// The flag that chooses it in a command.
    var options: [String] { self == .v1 ? [] : ["--v2"] }
}

/// What an app sees then.
enum NativeAuthObservation: Sendable, Equatable {
    case signInCode(to: String)
    case signInPassword
    /// There are several first factors. The values are their channels.
    case firstFactor([String])
    /// A second factor is required. The values are the channels of the methods.
    case secondFactor([String])
    case secondFactorCode(to: String)
    /// A strong method must be registered. The values are the channels in which that is possible.
    case registration([String])
    case registrationCode(to: String)
    case account(String)
    case signUpCode(to: String)
    case signUpPassword
    case attributes([String])
    case invalidAttributes([String])
    case signedUp
    case resetCode(to: String)
    case newPassword
    case passwordReset
    case token([String])
    case noAccount
    case browserRequired
    /// An error. `retry` states whether there is a state to try again with.
    case failure(MSALNativeAuthStepError.Reason, retry: Bool = false)

    /// The state as in docs/reference/NativeAuthentication.md#states, or `nil` if the flow stays in its state.
    var state: String? {
        switch self {
        case .signInCode: "SignInCodeRequiredState"
        case .signInPassword: "SignInPasswordRequiredState"
        case .firstFactor: "(choice of a first factor)"  // Only V2 has it.
        case .secondFactor: "AwaitingMFAState"
        case .secondFactorCode: "MFARequiredState"
        case .registration: "RegisterStrongAuthState"
        case .registrationCode: "RegisterStrongAuthVerificationRequiredState"
        case .account: "account result"
        case .signUpCode: "SignUpCodeRequiredState"
        case .signUpPassword: "SignUpPasswordRequiredState"
        case .attributes: "SignUpAttributesRequiredState"
        case .signedUp: "SignInAfterSignUpState"
        case .resetCode: "ResetPasswordCodeRequiredState"
        case .newPassword: "ResetPasswordRequiredState"
        case .passwordReset: "SignInAfterResetPasswordState"
        case .token: "token result"
        case .noAccount: "no account"
        case .invalidAttributes, .browserRequired, .failure: nil
        }
    }
}

/// A story between an app and the platform.
struct NativeAuthSituation: Sendable, CustomTestStringConvertible {
    let name: String
    /// The only version whose app sees this, or `nil` if both do.
    var version: NativeAuthVersion?
    var clientID = Seed().clientID
    var challengeTypes: MSALNativeAuthChallengeTypes = [.OOB, .password]
    var capabilities: MSALNativeAuthCapabilities = [.mfaRequired, .registrationRequired]
    /// Changes the platform before it starts.
    var adjust: @Sendable (inout EmulatorConfiguration) -> Void = { _ in }
    /// What the app does and then sees. Nothing is seen when something happens elsewhere.
    let story: [(move: NativeAuthMove, observation: NativeAuthObservation?)]

    var testDescription: String { name }

    init(
        _ name: String,
        only version: NativeAuthVersion? = nil,
        clientID: String = Seed().clientID,
        challengeTypes: MSALNativeAuthChallengeTypes = [.OOB, .password],
        capabilities: MSALNativeAuthCapabilities = [.mfaRequired, .registrationRequired],
        platform adjust: @escaping @Sendable (inout EmulatorConfiguration) -> Void = { _ in },
        story: (NativeAuthMove, NativeAuthObservation?)...
    ) {
        self.name = name
        self.version = version
        self.adjust = adjust
        self.clientID = clientID
        self.challengeTypes = challengeTypes
        self.capabilities = capabilities
        self.story = story.map { (move: $0.0, observation: $0.1) }
    }

    /// Every `state, input → next state` of the story, in the form of docs/reference/NativeAuthentication.md#states.
    var transitions: [String] {
        var state = "(application)"
        var result: [String] = []
        for (move, observation) in story {
            guard let input = move.input else { continue }
            let isStart = ["signIn(", "signUp", "resetPassword", "getNative"].contains { input.hasPrefix($0) }
            if isStart { state = "(application)" }
            guard let next = observation?.state else { continue }
            result.append("\(state) \(input) → \(next)")
            // A token does not end the account, and a lookup returns it again.
            state = next == "token result" ? state : next
        }
        return result
    }
}
