// Licensed under the MIT License. See LICENSE.

import Synchronization

/// In-memory snapshots of the directory, consents, sessions, and tokens, which a test can restore.
final class StateSnapshots: Sendable {
    private struct Snapshot: Sendable {
        let rows: EmulatorStore.Copy
        let contents: ServedDirectoryEditor.Snapshot
    }

    private let store: EmulatorStore
    private let editor: ServedDirectoryEditor
    private let snapshots = Mutex<[String: Snapshot]>([:])
    /// The maximum number of snapshots.
    static let limit = 32

    init(store: EmulatorStore, editor: ServedDirectoryEditor) {
        self.store = store
        self.editor = editor
    }

    /// Saves the state under a name and replaces an earlier snapshot of that name. Returns `false` if the limit is
    /// reached.
    func take(_ name: String) throws -> Bool {
        let snapshot = Snapshot(rows: try store.copy(), contents: editor.snapshot)
        return snapshots.withLock { snapshots in
            guard snapshots[name] != nil || snapshots.count < Self.limit else { return false }
            snapshots[name] = snapshot
            return true
        }
    }

    /// Restores the snapshot with this name. Returns `false` if there is none.
    func restore(_ name: String) throws -> Bool {
        guard let snapshot = snapshots.withLock({ $0[name] }) else { return false }
        try editor.restore(snapshot.contents)
        try store.restore(snapshot.rows)
        return true
    }

    /// The names in alphabetical order.
    var names: [String] { snapshots.withLock { $0.keys.sorted() } }

    /// Whether a text is a valid name: 1 to 64 letters, digits, hyphens, underscores, and dots.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && EmulatorDirectory.isPathSegment(text)
    }
}
