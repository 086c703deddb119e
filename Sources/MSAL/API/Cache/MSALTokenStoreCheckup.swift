// Licensed under the MIT License. See LICENSE.

private import Dispatch
import SealedStore

extension MSALTokenStore {
    /// Checks for anything that prevents sign-ins from being stored or tokens from being safe. Changes nothing and does
    /// not prompt for a password.
    public func checkup() async -> MSALTokenStoreCheckup {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: inspect()) }
        }
    }

    private func inspect() -> MSALTokenStoreCheckup {
        let directory = existingDirectory
        var checkup = MSALTokenStoreCheckup(
            existingDirectory: directory,
            isWritable: isWritable(directory),
            exposure: exposure
        )
        if case .shared(let type) = FileSystemKind(of: directory) { checkup.sharedFileSystem = type }
        do throws(StoreError) {
            if exists {
                checkup.statistics = try countedRecords(KeyAccessOptions())
            } else {
                checkup.newKeyLocation = MSALTokenStoreKeyLocation(try locationOfNewKey())
            }
        } catch {
            checkup.error = AuthError(error).nsError
        }
        return checkup
    }

    /// The deepest existing directory on the path to the store.
    private var existingDirectory: String {
        var path = location.directory
        while path.count > 1, access(path, F_OK) != 0 { path = (path as NSString).deletingLastPathComponent }
        return path
    }

    private var exposure: MSALTokenStoreCheckup.Exposure? {
        let files = ["", "-wal", "-shm"].map { (location.file + $0, mode_t(0o600)) }
        for (path, mode) in [(location.directory, mode_t(0o700))] + files {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let isOwn = status.st_uid == geteuid() && status.st_mode & S_IFMT != S_IFLNK
            guard isOwn, status.st_mode & 0o777 & ~mode == 0 else {
                return MSALTokenStoreCheckup.Exposure(
                    path: path,
                    owner: status.st_uid,
                    mode: status.st_mode & 0o777,
                    safeMode: mode
                )
            }
        }
        return nil
    }

    /// Fetches the key that the first sign-in would create.
    private func locationOfNewKey() throws(StoreError) -> KeyLocation {
        guard let provider = try keys.providerForNewStore(KeyAccessOptions()) else { return .none }
        let name = KeyName(group: location.group, store: "trial", keyID: "trial", directory: location.directory)
        _ = try provider.key(name, keyAccess: KeyAccessOptions())
        return provider.kind
    }
}

/// The results of ``MSALTokenStore/checkup()``. Linux only.
public struct MSALTokenStoreCheckup: Sendable {
    /// A directory or file of the store that others can read or replace.
    public struct Exposure: Sendable, Hashable {
        /// The path, which may be a link.
        public let path: String
        /// The user ID of the owner. To fix it, make the current user the owner.
        public let owner: UInt32
        /// The permission bits.
        public let mode: UInt32
        /// The permission bits that exclude others.
        public let safeMode: UInt32
    }

    /// The deepest existing directory on the path to the store, an absolute path.
    public let existingDirectory: String

    /// Whether files can be created in ``existingDirectory``. If not, sign-ins are not stored: grant permission, or set
    /// `MSAL_STORE_DIR` to another directory.
    public let isWritable: Bool

    /// The first path that others can access, or `nil`. Correct its owner and mode.
    public let exposure: Exposure?

    /// The type of the file system if other machines or programs share it, such as `nfs4`; `nil` for a local one. On a
    /// shared one, the store uses a slower journal.
    public internal(set) var sharedFileSystem: String?

    /// The contents of the store; `nil` if there is no store, or for the reason in ``error``.
    ///
    /// Unreadable rows are harmless. A user whose sign-in is missing signs in again.
    public internal(set) var statistics: MSALTokenStoreStatistics?

    /// The location where the first sign-in will keep the key; `nil` if the store exists, or for the reason in
    /// ``error``.
    public internal(set) var newKeyLocation: MSALTokenStoreKeyLocation?

    /// The reason why the store or its key is unavailable, as an application would receive it; otherwise `nil`.
    public internal(set) var error: NSError?

    /// Whether sign-ins are stored and only their user can read them.
    public var isSound: Bool { isWritable && exposure == nil && error == nil && statistics?.unreadableRows ?? 0 == 0 }
}
