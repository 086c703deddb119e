// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The directory of a running emulator. A change affects the next request; with a data folder, it is also kept after a
/// restart. `reset()` restores the initial directory.
extension Emulator {
    /// The current directory with its users. A password that was changed is only known as a digest.
    public func directory() async throws -> EmulatorDirectory { try parts.editor.wholeDirectory() }

    /// Changes the directory: the closure adds, changes, or removes entries, including users.
    ///
    /// ```swift
    /// try await emulator.changeDirectory { $0.applications[0].redirectURIs.append("http://localhost/back") }
    /// ```
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for an invalid entry; then nothing changes. The message says what to
    ///   correct.
    public func changeDirectory(by change: (inout EmulatorDirectory) throws -> Void) async throws {
        try parts.editor.changeWholeDirectory(by: change)
    }

    /// The names of the snapshots in alphabetical order.
    public var snapshots: [String] { parts.snapshots.names }

    /// Saves the current users, consents, sessions, tokens, and directory under a name, and replaces an earlier
    /// snapshot of that name. Returns `false` if there are 32 others already.
    @discardableResult
    public func takeSnapshot(_ name: String) throws -> Bool { try parts.snapshots.take(name) }

    /// Restores a snapshot. Sign-ins in progress on the pages continue. Returns `false` if there is no snapshot of that
    /// name.
    @discardableResult
    public func restoreSnapshot(_ name: String) throws -> Bool { try parts.snapshots.restore(name) }

    /// Adds a user.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` if the user is invalid in this directory, or if the name or the ID is
    ///   already in use. The message says what to correct.
    public func addUser(_ user: EmulatorDirectory.User) async throws { try parts.editor.add(user) }

    /// Changes a user, identified by the user principal name or the object ID. A new password ends earlier sign-ins.
    ///
    /// - Throws: `CustomerFailure.unknown`, or `EmulatorDirectory.InvalidEntry` for an invalid change. Then nothing
    ///   changes.
    public func changeUser(_ name: String, by change: (inout EmulatorDirectory.User) -> Void) async throws {
        guard var user = try parts.editor.user(name) else { throw CustomerFailure.unknown }
        let id = user.id
        change(&user)
        user.id = id
        if user.password != nil { user.passwordDigest = nil }
        try parts.editor.replace(user)
    }

    /// Whether the data folder contains its own directory, which replaces the one of the configuration.
    package var keepsOwnDirectory: Bool { parts.keepsOwnDirectory }

    // MARK: Without a running emulator

    /// The directory that an emulator would have after a start with this directory and this data folder.
    ///
    /// - Throws: `StartFailure` for a folder that cannot be used, that no emulator has used, or that another one is
    ///   using; `EmulatorDirectory.InvalidEntry` for an invalid directory.
    package static func directory(
        startingWith start: EmulatorDirectory,
        dataDirectory: URL
    ) throws -> EmulatorDirectory {
        guard EmulatorStore.exists(in: dataDirectory) else {
            throw StartFailure(description: "\(dataDirectory.path) is not the data folder of an emulator; choose one")
        }
        do {
            let directory = try ServedDirectory(start)
            let folder = try PrivateFolder(data: dataDirectory)
            let claim = try folder.claim()
            defer { claim.release() }
            let store = try EmulatorStore(in: folder, users: directory.users)
            let editor = ServedDirectoryEditor(directory: directory, store: store, clock: EmulatorClock())
            _ = try editor.restore(from: folder)
            let whole = try editor.wholeDirectory()
            try store.close()
            return whole
        } catch let failure as PrivateFolder.Failure {
            throw StartFailure(description: failure.description)
        }
    }

    /// The token with which programs control a running emulator.
    ///
    /// `file`: The file that the emulator was started with; `nil` means its state folder.
    /// - Throws: `StartFailure` for a file or folder that cannot be used.
    package static func controlToken(in stateDirectory: URL?, file: URL?) throws -> String {
        do {
            guard let file else { return try ControlToken.kept(in: PrivateFolder(state: stateDirectory)).exposed }
            return try ControlToken.read(from: file).exposed
        } catch let failure as PrivateFolder.Failure {
            throw StartFailure(description: failure.description)
        }
    }
}
