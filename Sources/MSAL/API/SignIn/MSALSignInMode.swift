// Licensed under the MIT License. See LICENSE.

/// A sign-in mode. Linux only. Later versions may have more modes.
public struct MSALSignInMode: RawRepresentable, Sendable, Hashable {
    /// The name of the mode, which does not change in later versions.
    public let rawValue: String

    /// The mode with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identity broker of this machine, which uses the device's sign-in or opens its own window. Only for
    /// authorities of Microsoft Entra ID; see ``MSALGlobalConfig/brokerAvailability``.
    public static let broker = MSALSignInMode(.broker)
    /// The browser of this machine, which returns to a port of this machine (RFC 8252 §7.3).
    public static let browser = MSALSignInMode(.browser)
    /// The browser of this machine, with the app's own redirect URI: a scheme (RFC 8252 §7.1), or an https URL (RFC
    /// 8252 §7.2). The app passes the redirect to
    /// ``MSALPublicClientApplication/handleMSALResponse(_:sourceApplication:)``.
    public static let appRedirect = MSALSignInMode(.appRedirect)
    /// A browser on any machine. The user pastes the address at which it ended: see ``MSALWebviewParameters/onPaste``.
    /// If the redirect URI leads to a port of this machine, that port also waits.
    public static let paste = MSALSignInMode(.paste)
    /// A browser on any machine, in which the user enters a code (RFC 8628): see
    /// ``MSALInteractiveTokenParameters/onDeviceCode``.
    public static let deviceCode = MSALSignInMode(.deviceCode)

    /// The modes of this version, in the library's order of preference.
    public static let all = SignInModeSelector.all.map { MSALSignInMode($0.name) }

    init(_ name: SignInMode) { rawValue = name.rawValue }

    /// `nil` for a mode that this version does not know.
    var name: SignInMode? { SignInMode(rawValue: rawValue) }
}

/// The sign-in modes for one sign-in in the order in which they are tried, with the reasons. Linux only.
public struct MSALSignInPlan: Sendable, Hashable, CustomStringConvertible {
    /// A sign-in mode, and whether it would work here.
    public struct Step: Sendable, Hashable {
        /// The mode.
        public let mode: MSALSignInMode
        /// Whether the mode is tried.
        public let isPossible: Bool
        /// The reason why it is tried or not, as a sentence without a period, for people.
        public let reason: String
    }

    /// The properties of the machine that determine the order.
    public let machine: MSALMachine
    /// Every mode that was considered. Those that are tried come first, unless the app specified the modes. Then the
    /// order is the app's.
    public let steps: [Step]
    /// Whether the app specified the modes with ``MSALInteractiveTokenParameters/modes``.
    public let isForced: Bool
    private let explanation: String

    init(_ plan: SignInPlan) {
        machine = MSALMachine(plan.machine)
        steps = plan.steps.map { step in
            Step(mode: MSALSignInMode(step.mode), isPossible: step.isPossible, reason: step.assessment.reason)
        }
        isForced = plan.isForced
        explanation = plan.explanation
    }

    /// The modes to try, in order of preference. Empty if no mode works.
    public var modes: [MSALSignInMode] { steps.filter(\.isPossible).map(\.mode) }

    /// Machine, choice, and reasons in one line.
    public var description: String { explanation }
}
