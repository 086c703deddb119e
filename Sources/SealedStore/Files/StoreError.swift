// Licensed under the MIT License. See LICENSE.

/// A failure to read or write the store. The message names the cause and a remedy.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers distinguish.
    package enum Kind: Sendable, Hashable {
        /// The directory or file cannot be created or changed: read-only, no permission, or an input/output error.
        case unwritable
        /// The file exists but cannot be read.
        case unreadable
        /// The file is damaged and could not be repaired.
        case corrupt
        /// The file is a database of another program. It is left unchanged.
        case foreign
        /// Another process held the store for more than five seconds, the limit for a transaction. Try again.
        case busy
        /// The disk or the quota is full.
        case full
        /// A newer version of this library wrote the store.
        case tooNew
        /// A version of this library that was never released wrote the store.
        case tooOld
        /// The key list in the file is not the one that this library wrote: it was changed or damaged. The file is left
        /// unchanged.
        case unverified
        /// The key of an encrypted store is unavailable.
        case keyUnavailable
        /// The file or its directory belongs to another user, is a link, or is accessible to other users.
        case insecure
        /// The app or the environment names an invalid location for the key.
        case invalidKeyChoice
        /// The environment and the group name do not form a valid path.
        case invalidLocation
        /// The user has no home directory, and the environment does not name another location.
        case noHome
        /// The file system cannot prevent processes from overwriting each other: its locks do not exclude, or they
        /// hang.
        case unsupportedFilesystem
    }

    package let kind: Kind
    /// Describes the cause and the remedy. Contains paths, but no secrets or user names.
    package let message: String
    /// The underlying error, if any.
    package let underlying: (any Error)?

    package init(_ kind: Kind, message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlying = underlying
    }

    package var description: String { message }

    /// Whether the failure is an invalid setting that must be corrected before a store can exist.
    package var isSetting: Bool { kind == .invalidKeyChoice || kind == .invalidLocation }
}
