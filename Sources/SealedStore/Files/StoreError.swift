// Licensed under the MIT License. See LICENSE.

/// A failure to read or write the store. The text names the cause and what helps.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure that callers tell apart.
    package enum Kind: Sendable, Hashable {
        /// The directory or file cannot be created or changed: read-only, no rights, input/output error.
        case unwritable
        /// The file exists and cannot be read.
        case unreadable
        /// The file is damaged and could not be mended.
        case corrupt
        /// The file is a database of something else. It is left as it is.
        case foreign
        /// Another process held the store longer than the five seconds a transaction waits. Try again.
        case busy
        /// No space is left, or the quota is used up.
        case full
        /// A newer version of this library wrote the store.
        case tooNew
        /// A version of this library that was never released wrote the store.
        case tooOld
        /// The file's statements about its keys are not those that this library wrote: they were changed or damaged. The
        /// file is left as it is.
        case unverified
        /// The key of an encrypted store cannot be had.
        case keyUnavailable
        /// The file or its directory belongs to somebody else, is a link, or is open to other users.
        case insecure
        /// The app or the environment names no way to keep a key.
        case invalidKeyChoice
        /// No path can be made of the environment and the group name.
        case invalidLocation
        /// The user has no home directory and the environment names no other place.
        case noHome
        /// The file system cannot keep processes from overwriting each other: its locks do not exclude, or hang.
        case unsupportedFilesystem
    }

    package let kind: Kind
    /// Cause and remedy in words; holds paths, never secrets or user names.
    package let message: String
    /// The failure beneath, if one exists.
    package let underlying: (any Error)?

    package init(_ kind: Kind, message: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlying = underlying
    }

    package var description: String { message }

    /// Whether a setting has to be corrected before there is a store at all.
    package var isSetting: Bool { kind == .invalidKeyChoice || kind == .invalidLocation }
}
