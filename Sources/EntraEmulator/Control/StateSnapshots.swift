// Licensed under the MIT License. See LICENSE.

import MSALBase
import Synchronization

/// States of the directory, with consents, sessions and tokens, to which a test returns. They live in memory.
final class StateSnapshots: Sendable {
    private struct Snapshot: Sendable {
        let rows: EmulatorStore.Copy
        let contents: ServedDirectoryEditor.Snapshot
    }

    private let store: EmulatorStore
    private let editor: ServedDirectoryEditor
    private let snapshots = Mutex<[String: Snapshot]>([:])
    /// How many snapshots are kept at most.
    static let limit = 32

    init(store: EmulatorStore, editor: ServedDirectoryEditor) {
        self.store = store
        self.editor = editor
    }

    /// Keeps the state under a name, in the place of an earlier one. Returns `false` where there are too many.
    func take(_ name: String) throws -> Bool {
        let snapshot = Snapshot(rows: try store.copy(), contents: editor.snapshot)
        return snapshots.withLock { snapshots in
            guard snapshots[name] != nil || snapshots.count < Self.limit else { return false }
            snapshots[name] = snapshot
            return true
        }
    }

    /// Restores the state that was kept under a name. Returns `false` if there is none of that name.
    func restore(_ name: String) throws -> Bool {
        guard let snapshot = snapshots.withLock({ $0[name] }) else { return false }
        try editor.restore(snapshot.contents)
        try store.restore(snapshot.rows)
        return true
    }

    /// The names, in order.
    var names: [String] { snapshots.withLock { $0.keys.sorted() } }

    /// Whether a text can be a name: 1 to 64 letters, digits, hyphens, underscores and dots.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && EmulatorDirectory.isPathSegment(text)
    }
}
