// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALCore

/// Why a call to a downstream API failed.
///
/// It is an `NSError` of the domain `MSALErrorDomain`. Its texts contain no token, and nothing that the API sent.
public final class MSALDownstreamError: NSError, @unchecked Sendable {
    // Unchecked, because `NSError` is. All members are constants of sendable types.

    /// The kind of failure. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind. Later versions do not change it.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The name.
        public var description: String { rawValue }

        /// The request is invalid. The message says what to correct. No token was requested.
        public static let invalidRequest = Kind("invalidRequest")
        /// No token for the API could be acquired. ``MSALDownstreamError/tokenError`` has the reason.
        public static let noToken = Kind("noToken")
        /// The caller's user must act. Pass ``MSALDownstreamError/challenge`` on to the caller.
        public static let challenge = Kind("challenge")
        /// The API redirects to another server, which must not get the token.
        public static let redirected = Kind("redirected")
        /// The response exceeds the size limit and was discarded.
        public static let responseTooLarge = Kind("responseTooLarge")
        /// The API returned an error status instead of the value. ``MSALDownstreamError/response`` has the response.
        public static let refused = Kind("refused")
        /// The response cannot be decoded as the requested type. ``MSALDownstreamError/response`` has it.
        public static let unreadable = Kind("unreadable")
        /// No response was received. Retry if the request may be repeated. The underlying error is in
        /// `NSURLErrorDomain`.
        public static let network = Kind("network")
        /// The calling task was canceled.
        public static let cancelled = Kind("cancelled")
    }

    /// The kind of failure, for the program to branch on.
    public let kind: Kind

    /// The cause and the remedy, as text. The wording may change.
    public let message: String

    /// The token error, if that is the reason.
    public let tokenError: MSALTokenError?

    /// The challenge that the caller must satisfy before the call can succeed; `nil` unless a user must act.
    public let challenge: MSALClaimsChallenge?

    /// The response of the API, if one was received.
    public let response: MSALDownstreamResponse?

    init(
        _ kind: Kind,
        message: String,
        tokenError: MSALTokenError? = nil,
        challenge: MSALClaimsChallenge? = nil,
        response: MSALDownstreamResponse? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.tokenError = tokenError
        self.challenge = challenge
        self.response = response
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, "MSALErrorDescriptionKey": message]
        userInfo[NSUnderlyingErrorKey] = (underlying ?? tokenError).map { $0 as NSError }
        super.init(domain: "MSALErrorDomain", code: kind == .cancelled ? -50005 : -50000, userInfo: userInfo)
    }

    /// Decodes an archived error, which keeps its text and loses its kind.
    public required init?(coder: NSCoder) {
        kind = Kind(rawValue: "archived")
        message = ""
        tokenError = nil
        challenge = nil
        response = nil
        super.init(coder: coder)
    }

    public override var description: String { "\(kind.rawValue): \(message)" }

    public override var debugDescription: String { description }
}

extension MSALDownstreamError {
    static func invalidRequest(_ message: String) -> MSALDownstreamError {
        MSALDownstreamError(.invalidRequest, message: "\(message) Nothing was sent.")
    }

    /// The failure of a token. The caller gets the claims that the service wants to see met.
    convenience init(_ failure: MSALTokenError, challenge: MSALClaimsChallenge?) {
        let kind: Kind = failure.kind == .cancelled ? .cancelled : challenge == nil ? .noToken : .challenge
        self.init(
            kind,
            message: "There is no token for the API. \(failure.message)",
            tokenError: failure,
            challenge: challenge
        )
    }

    /// The failure of a request that got no response.
    convenience init(_ failure: TransportError) {
        switch failure.kind {
        case .canceled: self.init(.cancelled, message: "The call was canceled.")
        case .responseTooLarge(let limit):
            self.init(.responseTooLarge, message: "The API's response is longer than \(limit) bytes. It was not used.")
        case .badURL: self.init(.invalidRequest, message: failure.message)
        case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .untrustedCertificate,
            .wrongHostName,
            .certificateExpired, .certificateNotYetValid, .tlsHandshake, .badResponse:
            let cause = failure.urlErrorCode.map {
                NSError(domain: NSURLErrorDomain, code: $0, userInfo: [NSLocalizedDescriptionKey: failure.message])
            }
            self.init(.network, message: "The API: \(failure.message)", underlying: cause)
        }
    }
}
