// Licensed under the MIT License. See LICENSE.

/// The directory while the emulator runs. A change holds for the next request; with a data folder it holds after a
/// restart, too. `reset()` returns to the directory of the start.
extension Emulator {
    /// What the emulator holds now, with its users. A password that somebody changed is known as a digest only.
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

    /// Adds a user.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for a user who does not fit into the directory, or whose name or id is
    ///   taken. Its text says what to do.
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

    /// Whether the data folder keeps a directory of its own, which counts before the one of the configuration.
    package var keepsOwnDirectory: Bool { parts.keepsOwnDirectory }
}
