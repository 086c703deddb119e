// Licensed under the MIT License. See LICENSE.

import SealedStore

// swift-format-ignore: AlwaysUseLowerCamelCase
/// In `userInfo`: why the token store failed (``MSALTokenStoreFailure``); set only where it did. Linux only.
public let MSALTokenStoreFailureKey = "MSALTokenStoreFailureKey"

/// Why a token store could not be read or written, in an error's `userInfo` under ``MSALTokenStoreFailureKey``. Linux only.
///
/// The error's description says what helps. Later versions may have more values.
public struct MSALTokenStoreFailure: RawRepresentable, Sendable, Hashable {
    /// The name of the reason, which stays the same in later versions.
    public let rawValue: String

    /// The reason of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The file or its directory cannot be created or changed. Correct the rights.
    public static let unwritable = MSALTokenStoreFailure(rawValue: "unwritable")
    /// The file is there and cannot be read, or is missing although it is needed. Correct the rights or the group.
    public static let unreadable = MSALTokenStoreFailure(rawValue: "unreadable")
    /// The file is damaged and could not be mended. Clear the store, and have the users sign in again.
    public static let damaged = MSALTokenStoreFailure(rawValue: "damaged")
    /// The file is no token store of this version of the library, and is left as it is.
    public static let unknownFormat = MSALTokenStoreFailure(rawValue: "unknown_format")
    /// Another process held the store for five seconds. Try again.
    public static let busy = MSALTokenStoreFailure(rawValue: "busy")
    /// The disk or the quota is full. Make room.
    public static let full = MSALTokenStoreFailure(rawValue: "full")
    /// Somebody or something else changed the store's keys. Find out who, then repair or clear the store.
    public static let unverified = MSALTokenStoreFailure(rawValue: "unverified")
    /// The key cannot be had: the keyring is locked or gone, or another protection was asked for.
    public static let keyUnavailable = MSALTokenStoreFailure(rawValue: "key_unavailable")
    /// Other users can open or replace the file. Correct its owner and mode.
    public static let insecure = MSALTokenStoreFailure(rawValue: "insecure")
    /// The settings name no usable location for the store or its key. Correct them.
    public static let invalidSetting = MSALTokenStoreFailure(rawValue: "invalid_setting")
    /// The locks of the file system do not keep processes apart. Put the store elsewhere.
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
