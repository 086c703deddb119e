// Licensed under the MIT License. See LICENSE.

/// The end of a sign-out in the browser. Linux only. Later versions may have more: have a `default` in a switch.
public struct MSALSignoutOutcome: RawRepresentable, Sendable, Hashable {
    /// The name of the outcome, which stays the same in later versions.
    public let rawValue: String

    /// The outcome of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The browser's session is over: the service sent the browser back (OpenID Connect RP-Initiated Logout §3).
    public static let ended = MSALSignoutOutcome(.ended)
    /// The user or the program gave up, so the session may go on: tell the user to close the browser.
    public static let closed = MSALSignoutOutcome(.closed)
    /// The browser did not come back in time. The page shows whether the session is over: tell the user to look there.
    public static let timedOut = MSALSignoutOutcome(.timedOut)
    /// The authority has no sign-out page, so the session goes on. The call then fails with the detail -42008.
    public static let notOffered = MSALSignoutOutcome(.notOffered)

    init(_ outcome: SignOutOutcome) { rawValue = outcome.rawValue }
}
