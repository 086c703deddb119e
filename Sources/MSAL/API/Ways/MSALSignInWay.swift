// Licensed under the MIT License. See LICENSE.

/// A sign-in mode. Linux only. Later versions may have more modes.
public struct MSALSignInWay: RawRepresentable, Sendable, Hashable {
    /// The name of the mode, which does not change in later versions.
    public let rawValue: String

    /// The mode with this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identity broker of this machine, which uses the device's sign-in or opens its own window. Only for
    /// authorities of Microsoft Entra ID; see ``MSALGlobalConfig/brokerAvailability``.
    public static let broker = MSALSignInWay(.broker)
    /// The browser of this machine, which returns to a port of this machine (RFC 8252 §7.3).
    public static let browser = MSALSignInWay(.browser)
    /// The browser of this machine, with the app's own redirect URI: a scheme (RFC 8252 §7.1), or an https URL (RFC
    /// 8252 §7.2). The app passes the redirect to
    /// ``MSALPublicClientApplication/handleMSALResponse(_:sourceApplication:)``.
    public static let appRedirect = MSALSignInWay(.appRedirect)
    /// A browser on any machine. The user pastes the address at which it ended: see ``MSALWebviewParameters/onPaste``.
    /// If the redirect URI leads to a port of this machine, that port also waits.
    public static let paste = MSALSignInWay(.paste)
    /// A browser on any machine, in which the user enters a code (RFC 8628): see
    /// ``MSALInteractiveTokenParameters/onDeviceCode``.
    public static let deviceCode = MSALSignInWay(.deviceCode)

    /// The modes of this version, in the library's order of preference.
    public static let all = WayChooser.all.map { MSALSignInWay($0.name) }

    init(_ name: WayName) { rawValue = name.rawValue }

    /// `nil` for a mode that this version does not know.
    var name: WayName? { WayName(rawValue: rawValue) }
}

/// The sign-in modes for one sign-in in the order in which they are tried, with the reasons. Linux only.
public struct MSALSignInPlan: Sendable, Hashable, CustomStringConvertible {
    /// A sign-in mode, and whether it would work here.
    public struct Step: Sendable, Hashable {
        /// The mode.
        public let way: MSALSignInWay
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
    /// Whether the app specified the modes with ``MSALInteractiveTokenParameters/ways``.
    public let isForced: Bool
    private let words: String

    init(_ plan: WayPlan) {
        machine = MSALMachine(plan.machine)
        steps = plan.steps.map { step in
            Step(
                way: MSALSignInWay(step.way),
                isPossible: step.isPossible,
                reason: step.judgement.reason
            )
        }
        isForced = plan.isForced
        words = plan.words
    }

    /// The modes to try, in order of preference. Empty if no mode works.
    public var ways: [MSALSignInWay] { steps.filter(\.isPossible).map(\.way) }

    /// Machine, choice, and reasons in one line.
    public var description: String { words }
}
