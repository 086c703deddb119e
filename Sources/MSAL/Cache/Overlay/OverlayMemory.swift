// Licensed under the MIT License. See LICENSE.

import SealedStore

/// What an ``OverlayStore`` holds in memory.
struct OverlayMemory: Sendable {
    /// In the order in which they came.
    private(set) var kept: [KeptResponse] = []
    /// What the kept responses make of the store beneath, as it was at its counter `beneath`.
    private(set) var changes = OverlayChanges()
    /// `nil` if the changes are to be made anew.
    private(set) var beneath: Int64?
    /// Grows whenever something else is kept.
    private(set) var counter: Int64 = 0
    /// Whether the user was told that the store cannot be written.
    var hasWarned = false

    /// What one look at the store beneath found.
    struct View: Sendable {
        let changes: OverlayChanges
        /// The store's counter just before the look.
        let beneath: Int64
        /// The responses that the store has not overtaken.
        let kept: [KeptResponse]
        let counter: Int64
    }

    /// The changes above `reading`, made anew if the store is not what it was.
    ///
    /// `reading`: `nil` if nothing can be read.
    func view(over reading: (any TokenStoreReading)?, at beneath: Int64) throws(StoreError) -> View {
        if self.beneath == beneath {
            return View(changes: changes, beneath: beneath, kept: kept, counter: counter)
        }
        let transaction = OverlayTransaction(reading, OverlayChanges())
        let current = try reading.map { (reading) throws(StoreError) in try kept.current(in: reading) } ?? kept
        let left = try current.replay(in: transaction)
        return View(
            changes: transaction.changes,
            beneath: beneath,
            kept: left,
            counter: counter
        )
    }

    /// Remembers a view, unless something was kept or written since.
    ///
    /// - Returns: How many responses are dropped by that.
    mutating func adopt(_ view: View) -> Int {
        guard view.counter == counter else { return 0 }
        let dropped = kept.count - view.kept.count
        changes = view.changes
        beneath = view.beneath
        kept = view.kept
        if dropped > 0 { counter += 1 }
        return dropped
    }

    /// Adds a response in place of those it stands for.
    ///
    /// `changes`: Those of the view at `beneath`, and the response's.
    mutating func keep(_ response: KeptResponse, changes: OverlayChanges, beneath: Int64) {
        kept.removeAll { response.filing.standsFor($0.filing) }
        kept.append(response)
        // Somebody else may have looked at a later state meanwhile.
        self.beneath = self.beneath == beneath ? beneath : nil
        self.changes = changes
        counter += 1
    }

    /// Goes on with those that are left after one was written.
    mutating func goOn(with rest: [KeptResponse]) {
        kept = rest
        beneath = nil
        counter += 1
    }

    /// Starts over: everything was written.
    mutating func clear() {
        kept = []
        changes = OverlayChanges()
        beneath = nil
        counter += 1
        hasWarned = false
    }
}
