// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport

extension SQLiteStore {
    /// Has the store's upkeep done, on another thread, if this hour's sweep shows that there is something to do.
    func keepUp(after transaction: SQLiteTransaction) {
        let ring = transaction.ring
        guard transaction.hasSwept, !ring.retiring.isEmpty || isDue(ring.activeRow, number: transaction.number) else {
            return
        }
        let number = transaction.number
        background { [weak self] in
            do throws(StoreError) {
                try self?.upkeep(KeyPatience(), number: number)
            } catch {
                // The next hour tries again; every row can be read meanwhile.
                Log.warning("The keys of the token store could not be renewed: \(error.message)")
            }
        }
    }

    /// Replaces a data key that served its time, and seals the rows of old ones anew.
    ///
    /// `number`: The store's running number, if it is known.
    func upkeep(_ patience: KeyPatience, number: Int64?) throws(StoreError) {
        if isDue(try ring(patience)?.activeRow, number: number) { try rotateDataKey(patience, ifDueAt: number) }
        try resealAll()
    }

    /// Whether a data key has served a year or closed as many rows as it should.
    ///
    /// `number`: The store's running number, if it is known.
    func isDue(_ row: StoredKeys.Row?, number: Int64?) -> Bool {
        guard let row else { return false }
        return seconds - row.created >= Self.keyLife || (number ?? row.since) - row.since >= Self.rowsPerKey
    }
}
