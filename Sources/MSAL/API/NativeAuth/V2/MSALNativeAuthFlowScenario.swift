// Licensed under the MIT License. See LICENSE.

/// The flow that an outcome of V2 belongs to. It does not change during the flow.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public enum MSALNativeAuthFlowScenario: Int, CaseIterable, Sendable {
    /// A scenario that this version does not know. The library never returns it.
    case unknown
    /// A sign-up.
    case signUp
    /// A sign-in.
    case signIn
    /// A password reset.
    case passwordReset

    init(_ scenario: NativeAuth.Scenario) {
        switch scenario {
        case .signIn: self = .signIn
        case .signUp: self = .signUp
        case .passwordReset: self = .passwordReset
        }
    }
}
