// Licensed under the MIT License. See LICENSE.

/// A code that the user enters in a browser on another device (RFC 8628 §3.2). Linux only.
public struct MSALDeviceCode: Sendable, Hashable {
    /// The code to enter.
    public let userCode: String
    /// The page on which to enter it.
    public let verificationUri: URL
    /// The same page including the code, for a QR code; `nil` if the service provides none.
    public let verificationUriComplete: URL?
    /// The service's message for the user. It contains the page and the code.
    public let message: String
    /// The time at which the code expires, by this machine's clock.
    public let expiresOn: Date
    /// The initial interval between two polls of the service.
    public let interval: Duration

    init(_ codes: DeviceAuthorization, expiresOn: Date) {
        userCode = codes.userCode
        verificationUri = codes.verificationURI
        verificationUriComplete = codes.completeVerificationURI
        message = codes.message
        self.expiresOn = expiresOn
        interval = codes.interval
    }
}

/// A state of a sign-in with a device code. Linux only. Later versions may have more states, so a switch needs a
/// `default`.
public struct MSALDeviceCodeState: Sendable {
    /// The kinds of states.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// The kind with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code is available. Show it.
        public static let code = Kind(rawValue: "code")
        /// The user has not finished. The service is polled again after the interval.
        public static let waiting = Kind(rawValue: "waiting")
        /// The service could not be reached. It is polled again after the interval, until the code expires.
        public static let unreachable = Kind(rawValue: "unreachable")
        /// The service rejects the code, for example because of a policy of the tenant. The code is no longer valid.
        /// Only passed to ``MSALInteractiveTokenParameters/onDeviceCode``, where the request can continue with a pasted
        /// address.
        public static let refused = Kind(rawValue: "refused")
        /// The user has signed in. This is the last state.
        public static let signedIn = Kind(rawValue: "signedIn")
    }

    /// The kind of state.
    public let kind: Kind
    /// The code, in the state ``Kind/code``.
    public internal(set) var code: MSALDeviceCode?
    /// The time until the service is polled again, in the states ``Kind/waiting`` and ``Kind/unreachable``.
    public internal(set) var pause: Duration?
    /// The reason why the service could not be reached or rejected the code, in the states ``Kind/unreachable`` and
    /// ``Kind/refused``.
    public internal(set) var error: NSError?
    /// The token, in the state ``Kind/signedIn``.
    public internal(set) var result: MSALResult?

    init(_ kind: Kind) { self.kind = kind }

    init(_ event: DeviceCodeEvent) {
        switch event {
        case .code(let codes, let expiresOn):
            kind = .code
            code = MSALDeviceCode(codes, expiresOn: expiresOn)
        case .waiting(let pause):
            kind = .waiting
            self.pause = pause
        case .unreachable(let failure, let pause):
            kind = .unreachable
            error = failure.nsError
            self.pause = pause
        case .refused(let failure):
            kind = .refused
            error = failure.nsError
        }
    }
}

/// The states of a sign-in with a device code, for a single loop. Linux only.
///
/// The sign-in begins when this value is created. It ends when the loop is left, when the loop's task is canceled, or
/// when this value is released before a loop.
public struct MSALDeviceCodeStates: AsyncSequence, Sendable {
    /// A state of the sign-in.
    public typealias Element = MSALDeviceCodeState

    private let stream: AsyncThrowingStream<MSALDeviceCodeState, any Error>
    private let end: @Sendable () -> Void

    init(_ stream: AsyncThrowingStream<MSALDeviceCodeState, any Error>, end: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.end = end
    }

    /// The iterator for the single loop.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), loop: Loop(end)) }

    /// Iterates over the states.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<MSALDeviceCodeState, any Error>.AsyncIterator
        fileprivate let loop: Loop

        /// The next state; `nil` after the last one.
        ///
        /// - Throws: The same `NSError` as
        ///   ``MSALPublicClientApplication/acquireToken(with:)-(MSALDeviceCodeTokenParameters)``.
        public mutating func next() async throws -> MSALDeviceCodeState? {
            defer { withExtendedLifetime(loop) {} }  // The optimizer must not end the loop before its last state.
            return try await base.next(isolation: #isolation)
        }
    }

    /// Exists as long as the loop. The stream itself exists as long as this sequence, which an app may keep.
    fileprivate final class Loop: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
}

/// A request for a token with a code that the user enters in a browser on another device (RFC 8628). Linux only.
///
/// `account` is not used: the user may sign in with any account. Compare the result's account.
public final class MSALDeviceCodeTokenParameters: MSALTokenParameters {
    /// Receives the states of the sign-in, on any thread: show the code of the first one.
    ///
    /// ``MSALDeviceCodeState/Kind/signedIn`` is not passed because the call returns the result.
    public var onState: (@Sendable (MSALDeviceCodeState) -> Void)?

    /// How long the user may take; `nil`, the default, means the lifetime of the code. Then the call ends with
    /// ``MSALError/userCanceled``.
    public var timeout: Duration?

    /// Creates parameters for these scopes.
    ///
    /// `onState` receives the code to show.
    public init(scopes: [String], onState: (@Sendable (MSALDeviceCodeState) -> Void)? = nil) {
        self.onState = onState
        super.init(scopes: scopes)
    }
}
