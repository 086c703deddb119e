// Licensed under the MIT License. See LICENSE.

/// Work on a whole store that reading and writing cause. The folder `Maintenance` implements it, and a store gets it
/// when it is made.
protocol StoreCare: Sendable {
    /// Waits while another process mends a damaged file, and finishes the work of a process that died over it. Called
    /// where no file is found.
    ///
    /// - Returns: The report, if this process did it.
    func settle(_ file: StoreFile) throws(StoreError) -> StoreRecovered?

    /// Repairs a store after an operation found damage. The operation can then be repeated.
    ///
    /// `isCertain`: Whether the damage was met again after a look that found nothing.
    ///
    /// - Throws: The reason why it cannot be mended now; the next call tries again.
    func mend(_ store: RowStore, isCertain: Bool) throws(StoreError)

    /// Renews keys that have served their time, on another thread. Called once an hour, after expired rows were swept
    /// out.
    ///
    /// `ring`: The present keys. `number`: The store's running number, if it is known.
    func keepUp(_ store: RowStore, ring: KeyRing, number: Int64?)
}

/// The events that a commit must survive before the call returns.
package enum Durability: Sendable {
    /// The commit survives a crash of the process. A power cut may lose the last commits.
    case normal
    /// The commit survives a power cut.
    case full
}

/// The purpose for which a store is prepared.
package enum StoreUse: Sendable {
    /// A store that does not exist yet is not created.
    case reading
    /// A store that does not exist yet is created, with its key.
    case writing
}
