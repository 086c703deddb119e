// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The machine on which programs with managed identities run. It has the identities, and the failures that come next.
final class MachineIdentities: Sendable {
    /// A failure of the next requests.
    struct Failure: Sendable {
        enum Effect: Sendable {
            /// `retryAfter`: Seconds for `Retry-After`. `message`: The text of the error; `nil` means the host's own.
            case refusal(status: Int, retryAfter: Int?, message: String?)
            case flaw(ManagedIdentityFlaw)
        }

        /// The host that fails; `nil` means each.
        let source: ManagedIdentitySource?
        let effect: Effect
        var count: Int

        /// Whether the failure fits a request. `isFirst`: Whether it comes without the key that Azure Arc wants.
        func fits(_ source: ManagedIdentitySource, isFirst: Bool) -> Bool {
            guard self.source ?? source == source else { return false }
            switch effect {
            case .refusal: return true
            case .flaw(let flaw):
                return flaw.isOfChallenge ? source == .azureArc && isFirst : source != .azureArc || !isFirst
            }
        }
    }

    private struct State {
        var addresses: ManagedIdentityAddresses?
        /// The object ids of identities that were taken from the machine.
        var removed: Set<String> = []
        var failures: [Failure] = []
    }

    private let directory: ServedDirectory
    private let state = Mutex(State())

    init(directory: ServedDirectory) {
        self.directory = directory
    }

    /// The addresses of the endpoints; `nil` while they are switched off.
    var addresses: ManagedIdentityAddresses? {
        get { state.withLock { $0.addresses } }
        set { state.withLock { $0.addresses = newValue } }
    }

    /// The identities of the directory that the machine has.
    var assigned: [EmulatorDirectory.ManagedIdentity] {
        let removed = state.withLock { $0.removed }
        return directory.managedIdentities.filter { !removed.contains($0.objectID.lowercased()) }
    }

    /// The identities of the directory, each with whether the machine has it.
    var all: [(identity: EmulatorDirectory.ManagedIdentity, isAssigned: Bool)] {
        let removed = state.withLock { $0.removed }
        return directory.managedIdentities.map { ($0, !removed.contains($0.objectID.lowercased())) }
    }

    /// The failures that are still to happen.
    var failures: [Failure] { state.withLock { $0.failures } }

    /// Gives the machine an identity, or takes it away. The name may also be one of its ids.
    ///
    /// Returns whether there is such an identity.
    func assign(_ name: String, isAssigned: Bool) -> Bool {
        let name = name.lowercased()
        let identity = directory.managedIdentities.first { identity in
            [identity.name, identity.clientID, identity.objectID, identity.resourceID].contains {
                $0?.lowercased() == name
            }
        }
        guard let id = identity?.objectID.lowercased() else { return false }
        state.withLock { state in
            if isAssigned { state.removed.remove(id) } else { state.removed.insert(id) }
        }
        return true
    }

    /// Makes the next requests fail, behind the failures that are there already.
    func enqueue(_ failure: Failure) {
        state.withLock { $0.failures.append(failure) }
    }

    /// The failure of this request, if there is one; it counts as used.
    ///
    /// `isFirst`: Whether it comes without the key that Azure Arc wants.
    func takeFailure(at source: ManagedIdentitySource, isFirst: Bool) -> Failure? {
        state.withLock { state in
            let fitting = state.failures.firstIndex { $0.fits(source, isFirst: isFirst) }
            guard let index = fitting else { return nil }
            let failure = state.failures[index]
            state.failures[index].count -= 1
            if state.failures[index].count <= 0 { state.failures.remove(at: index) }
            return failure
        }
    }

    /// Returns to the state of the start.
    func reset() {
        state.withLock { state in
            state.removed = []
            state.failures = []
        }
    }

    /// The identity that a request asks for.
    ///
    /// - Throws: The refusal of that host.
    func identity(
        for request: IdentityTokenRequest,
        at source: ManagedIdentitySource
    ) throws(IdentityRefusal) -> EmulatorDirectory.ManagedIdentity {
        let assigned = assigned
        if let requested = request.identity {
            guard let identity = assigned.first(where: requested.names) else { throw .identityNotFound(at: source) }
            return identity
        }
        if let system = assigned.first(where: { $0.resourceID == nil }) { return system }
        // A virtual machine without an identity of its own uses the only one that it was given.
        guard source == .imds, let only = assigned.first else { throw .identityNotFound(at: source) }
        guard assigned.count == 1 else { throw .severalIdentities }
        return only
    }
}
