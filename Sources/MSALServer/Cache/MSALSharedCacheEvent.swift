// Licensed under the MIT License. See LICENSE.

/// A failure of a shared cache, or its recovery. A token call does not fail because of it, unless the token cannot be
/// obtained elsewhere.
public struct MSALSharedCacheEvent: Sendable, CustomStringConvertible {
    /// What happened. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind. Later versions do not change it.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store threw an error. ``MSALSharedCacheEvent/underlying`` has it.
        public static let failed = Kind(rawValue: "failed")
        /// The store did not respond within ``MSALSharedCacheConfiguration/timeLimit``, or within
        /// ``MSALSharedCacheConfiguration/connectTimeLimit`` while its client connects.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The store has failed five times in a row, and is not called for ``MSALSharedCacheConfiguration/trialAfter``.
        public static let paused = Kind(rawValue: "paused")
        /// The store responds again.
        public static let resumed = Kind(rawValue: "resumed")
        /// A value cannot be decrypted: it is corrupt, was copied, was encrypted with another key, or was written by a
        /// later version. It counts as absent.
        public static let unreadable = Kind(rawValue: "unreadable")
        /// A value is larger than 64 KiB. It was not written, or counts as absent.
        public static let tooLarge = Kind(rawValue: "tooLarge")
    }

    /// The kind of event.
    public let kind: Kind
    /// The meaning of the event, and what to do.
    public let message: String
    /// The error of the store.
    public let underlying: (any Error)?

    package init(_ kind: Kind, message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlying = underlying
    }

    /// The kind and the message, without the error of the store, which may contain anything.
    public var description: String { "\(kind.rawValue): \(message)" }
}
