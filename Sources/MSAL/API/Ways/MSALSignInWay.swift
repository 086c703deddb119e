// Licensed under the MIT License. See LICENSE.

/// A way to sign a user in. Linux only. Later versions may have more ways.
public struct MSALSignInWay: RawRepresentable, Sendable, Hashable {
    /// The name of the way, which stays the same in later versions.
    public let rawValue: String

    /// The way of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identity broker of this machine, which signs in with the device's own sign-in or with a window of its own. It
    /// is for authorities of Microsoft Entra ID; see ``MSALGlobalConfig/brokerAvailability``.
    public static let broker = MSALSignInWay(.broker)
    /// The browser of this machine, which comes back to a port of this machine (RFC 8252 §7.3).
    public static let browser = MSALSignInWay(.browser)
    /// The browser of this machine, with a redirect URI of the app's own: a scheme (RFC 8252 §7.1), or an https address
    /// (RFC 8252 §7.2). The app gives the redirect to
    /// ``MSALPublicClientApplication/handleMSALResponse(_:sourceApplication:)``.
    public static let appRedirect = MSALSignInWay(.appRedirect)
    /// A browser on any machine. The user pastes the address on which it ended: see ``MSALWebviewParameters/onPaste``.
    /// If the redirect URI leads to a port of this machine, that port waits meanwhile.
    public static let paste = MSALSignInWay(.paste)
    /// A browser on any machine, in which the user types a code (RFC 8628): see
    /// ``MSALInteractiveTokenParameters/onDeviceCode``.
    public static let deviceCode = MSALSignInWay(.deviceCode)

    /// The ways of this version, in the order in which the library prefers them.
    public static let all = WayChooser.all.map { MSALSignInWay($0.name) }

    init(_ name: WayName) { rawValue = name.rawValue }

    /// `nil` for a way that this version does not know.
    var name: WayName? { WayName(rawValue: rawValue) }
}

/// The ways for one sign-in in the order of trying, with the reasons. Linux only.
public struct MSALSignInPlan: Sendable, Hashable, CustomStringConvertible {
    /// A way to sign in, and whether it would work here.
    public struct Step: Sendable, Hashable {
        /// The way.
        public let way: MSALSignInWay
        /// Whether the way is tried.
        public let isPossible: Bool
        /// The reason why it is tried, or why not: a sentence without a full stop, for people.
        public let reason: String
    }

    /// The facts about the machine that the order follows from.
    public let machine: MSALMachine
    /// Every way that was looked at. Those that are tried come first, unless the app named the ways. Then the order is
    /// the app's.
    public let steps: [Step]
    /// Whether the app named the ways with ``MSALInteractiveTokenParameters/ways``.
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

    /// The ways to try, the best first. Empty where no way works.
    public var ways: [MSALSignInWay] { steps.filter(\.isPossible).map(\.way) }

    /// Machine, choice and reasons in one line.
    public var description: String { words }
}
