// Licensed under the MIT License. See LICENSE.

/// The origin of a token, and the reason for it. Linux only.
public struct MSALTokenSource: Sendable, Hashable, CustomStringConvertible {
    /// The origin of a token. More may be added.
    public struct Origin: RawRepresentable, Sendable, Hashable {
        /// The name of the origin.
        public let rawValue: String

        /// Creates an origin from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The token store.
        public static let cache = Origin(rawValue: "cache")
        /// The service, with a refresh token.
        public static let refresh = Origin(rawValue: "refresh")
        /// A sign-in in the browser.
        public static let browser = Origin(rawValue: "browser")
        /// A sign-in in a browser on another device, with a code.
        public static let deviceCode = Origin(rawValue: "deviceCode")
        /// A sign-in in the app's own interface.
        public static let native = Origin(rawValue: "native")
        /// The identity broker of this machine.
        public static let broker = Origin(rawValue: "broker")
    }

    /// The origin. More may be added, so a switch needs a `default`.
    public let origin: Origin
    /// The reason for the origin, as a short description for people.
    public let reason: String

    package init(_ source: TokenSource) {
        switch source {
        case .cache: (origin, reason) = (.cache, "the stored token is still valid")
        case .cacheAfterFailedRefresh: (origin, reason) = (.cache, "the stored token was due for renewal, which failed")
        case .browser: (origin, reason) = (.browser, "the user signed in")
        case .deviceCode: (origin, reason) = (.deviceCode, "the user signed in with a code")
        case .native: (origin, reason) = (.native, "the user signed in without a browser")
        case .broker(asksUser: true): (origin, reason) = (.broker, "the user signed in with the identity broker")
        case .broker(asksUser: false): (origin, reason) = (.broker, "the identity broker issued it silently")
        case .refresh(let cause): (origin, reason) = (.refresh, cause.words)
        }
    }

    /// Origin and reason.
    public var description: String { "\(origin.rawValue), \(reason)" }
}

extension RefreshReason {
    fileprivate var words: String {
        switch self {
        case .forced: "the app forced it"
        case .claimsRequested: "the app asked for claims"
        case .noAccessToken: "no stored token matches"
        case .accessTokenExpired: "the stored token has expired"
        case .refreshDue: "the stored token was due for renewal"
        }
    }
}
