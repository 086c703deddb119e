// Licensed under the MIT License. See LICENSE.

/// The flow to which an outcome of V2 belongs. It is that of the first call until the end.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public enum MSALNativeAuthFlowScenario: Int, CaseIterable, Sendable {
    /// A scenario that this version does not know. The library never hands it out.
    case unknown
    /// A sign-up.
    case signUp
    /// A sign-in.
    case signIn
    /// The reset of a password.
    case passwordReset

    init(_ scenario: NativeAuth.Scenario) {
        switch scenario {
        case .signIn: self = .signIn
        case .signUp: self = .signUp
        case .passwordReset: self = .passwordReset
        }
    }
}
