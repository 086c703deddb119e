// Licensed under the MIT License. See LICENSE.

/// The outcome of a sign-out in the browser. Linux only. Later versions may have more, so a switch needs a `default`.
public struct MSALSignoutOutcome: RawRepresentable, Sendable, Hashable {
    /// The name of the outcome, which does not change in later versions.
    public let rawValue: String

    /// The outcome with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The browser's session has ended: the service redirected the browser (OpenID Connect RP-Initiated Logout §3).
    public static let ended = MSALSignoutOutcome(.ended)
    /// The user or the program canceled, so the session may continue: ask the user to close the browser.
    public static let closed = MSALSignoutOutcome(.closed)
    /// The browser did not return in time. Ask the user to check the page, which shows whether the session has ended.
    public static let timedOut = MSALSignoutOutcome(.timedOut)
    /// The authority has no sign-out page, so the session continues. The call fails with the detail -42008.
    public static let notOffered = MSALSignoutOutcome(.notOffered)

    init(_ outcome: SignOutOutcome) { rawValue = outcome.rawValue }
}
