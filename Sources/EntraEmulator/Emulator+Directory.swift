// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The directory while the emulator runs. A change holds for the next request; with a data folder it holds after a
/// restart, too. `reset()` returns to the directory of the start.
extension Emulator {
    /// The directory as it is now, with its users. A password that somebody changed is known as a digest only.
    public func directory() async throws -> EmulatorDirectory {
        try parts.editor.wholeDirectory()
    }

    /// Changes the directory: entries that are added, changed or removed in the closure, users among them.
    ///
    /// ```swift
    /// try await emulator.changeDirectory { $0.applications[0].redirectURIs.append("http://localhost/back") }
    /// ```
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for an entry that cannot be used; then nothing changes. Its text says
    ///   what to do.
    public func changeDirectory(by change: (inout EmulatorDirectory) throws -> Void) async throws {
        try parts.editor.changeWholeDirectory(by: change)
    }

    /// The names of the snapshots, in order.
    public var snapshots: [String] { parts.snapshots.names }

    /// Keeps users, consents, sessions, tokens and directory as they are now under a name, in the place of an earlier
    /// snapshot of that name. Returns `false` where 32 others are kept already.
    @discardableResult
    public func takeSnapshot(_ name: String) throws -> Bool { try parts.snapshots.take(name) }

    /// Returns to a snapshot. Sign-ins that are under way on the pages go on. Returns `false` where there is none of that
    /// name.
    @discardableResult
    public func restoreSnapshot(_ name: String) throws -> Bool { try parts.snapshots.restore(name) }

    /// Adds a user.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` if the user does not fit into the directory, or if the name or the id
    ///   is taken. The text of the error says what to do.
    public func addUser(_ user: EmulatorDirectory.User) async throws {
        try parts.editor.add(user)
    }

    /// Changes a user; the name is the user principal name or the object id. A new password ends earlier sign-ins.
    ///
    /// - Throws: `CustomerFailure.unknown`; `EmulatorDirectory.InvalidEntry` for what does not fit. Then nothing changes.
    public func changeUser(_ name: String, by change: (inout EmulatorDirectory.User) -> Void) async throws {
        guard var user = try parts.editor.user(name) else { throw CustomerFailure.unknown }
        let id = user.id
        change(&user)
        user.id = id
        if user.password != nil { user.passwordDigest = nil }
        try parts.editor.replace(user)
    }

    /// Whether the data folder keeps a directory of its own, which replaces the one of the configuration.
    package var keepsOwnDirectory: Bool { parts.keepsOwnDirectory }

    // MARK: Without a running emulator

    /// The directory that an emulator would have after a start with this directory and this data folder.
    ///
    /// - Throws: `StartFailure` for a folder that cannot be used, that no emulator has used, or that another one uses
    ///   now; `EmulatorDirectory.InvalidEntry` for the directory.
    package static func directory(
        startingWith start: EmulatorDirectory,
        dataDirectory: URL
    ) throws -> EmulatorDirectory {
        guard EmulatorStore.exists(in: dataDirectory) else {
            throw StartFailure(description: "\(dataDirectory.path) is not the data folder of an emulator; name one")
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
    /// `file`: Where the emulator was told to read it; `nil` means its state folder.
    /// - Throws: `StartFailure` for a file or folder that cannot be used.
    package static func controlToken(in stateDirectory: URL?, file: URL?) throws -> String {
        do {
            guard let file else {
                return try ControlToken.kept(in: PrivateFolder(state: stateDirectory)).exposed
            }
            return try ControlToken.read(from: file).exposed
        } catch let failure as PrivateFolder.Failure {
            throw StartFailure(description: failure.description)
        }
    }
}
