// Licensed under the MIT License. See LICENSE.

import SealedStore

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: the reason why the token store failed (``MSALTokenStoreFailure``); only set in that case. Linux only.
public let MSALTokenStoreFailureKey = "MSALTokenStoreFailureKey"

/// The reason why a token store could not be read or written, in `userInfo` under ``MSALTokenStoreFailureKey``. Linux
/// only.
///
/// The error's description states a remedy. Later versions may have more values.
public struct MSALTokenStoreFailure: RawRepresentable, Sendable, Hashable {
    /// The name of the reason, which does not change in later versions.
    public let rawValue: String

    /// The reason with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file or its directory cannot be created or changed. Correct the permissions.
    public static let unwritable = MSALTokenStoreFailure(rawValue: "unwritable")
    /// The file exists but cannot be read, or is missing although it is required. Correct the permissions or the group.
    public static let unreadable = MSALTokenStoreFailure(rawValue: "unreadable")
    /// The file is damaged and could not be repaired. Clear the store, and ask the users to sign in again.
    public static let damaged = MSALTokenStoreFailure(rawValue: "damaged")
    /// The file is not a token store of this version of the library, and is left unchanged.
    public static let unknownFormat = MSALTokenStoreFailure(rawValue: "unknown_format")
    /// Another process held the store for five seconds. Try again.
    public static let busy = MSALTokenStoreFailure(rawValue: "busy")
    /// The disk or the quota is full. Free some space.
    public static let full = MSALTokenStoreFailure(rawValue: "full")
    /// Another program changed the store's keys. Find out which, then repair or clear the store.
    public static let unverified = MSALTokenStoreFailure(rawValue: "unverified")
    /// The key is unavailable: the keyring is locked or missing, or another protection was requested.
    public static let keyUnavailable = MSALTokenStoreFailure(rawValue: "key_unavailable")
    /// Other users can access or replace the file. Correct its owner and mode.
    public static let insecure = MSALTokenStoreFailure(rawValue: "insecure")
    /// The settings do not determine a usable location for the store or its key. Correct them.
    public static let invalidSetting = MSALTokenStoreFailure(rawValue: "invalid_setting")
    /// The locks of the file system do not exclude other processes. Move the store to another file system.
    public static let unsupportedFileSystem = MSALTokenStoreFailure(rawValue: "unsupported_file_system")

    init(_ kind: StoreError.Kind) {
        self =
            switch kind {
            case .unwritable: .unwritable
            case .unreadable: .unreadable
            case .corrupt: .damaged
            case .foreign, .tooNew, .tooOld: .unknownFormat
            case .busy: .busy
            case .full: .full
            case .unverified: .unverified
            case .keyUnavailable: .keyUnavailable
            case .insecure: .insecure
            case .invalidKeyChoice, .invalidLocation, .noHome: .invalidSetting
            case .unsupportedFilesystem: .unsupportedFileSystem
            }
    }
}
