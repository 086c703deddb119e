// Licensed under the MIT License. See LICENSE.

/// The parts of a running emulator that the control port shows and changes.
struct ControlledComponents: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let editor: ServedDirectoryEditor
    let snapshots: StateSnapshots
    let clock: EmulatorClock
    let journal: Journal
    let faults: FaultQueue
    let outbox: Outbox
    let namedResponses: NamedResponseQueue
    let certificate: PresentedCertificate
    let keys: SigningKeys
    let pages: Pages
    let machine: MachineIdentities
    let flaws: FederatedFlaws
    let mint: TokenMint
    let signIns: SignInLog
    let claimsChallenges: ClaimsChallenges
    let planned: PlannedSignIns
    /// Restores the initial state.
    let reset: @Sendable () async throws -> Void
}
