// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The machine that runs programs with managed identities: its identities, and its pending failures.
final class MachineIdentities: Sendable {
    /// A failure of the next requests.
    struct Failure: Sendable {
        enum Effect: Sendable {
            /// `retryAfter`: Seconds for `Retry-After`. `message`: The error message; `nil` uses the host's own.
            case refusal(status: Int, retryAfter: Int?, message: String?)
            case flaw(ManagedIdentityFlaw)
        }

        /// The host that fails; `nil` means all hosts.
        let source: ManagedIdentitySource?
        let effect: Effect
        var count: Int

        /// Whether the failure applies to a request. `isFirst`: Whether the request lacks the key that Azure Arc
        /// requires.
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
        /// The object IDs of identities that were removed from the machine.
        var removed: Set<String> = []
        var failures: [Failure] = []
    }

    private let directory: ServedDirectory
    private let state = Mutex(State())

    init(directory: ServedDirectory) { self.directory = directory }

    /// The addresses of the endpoints; `nil` if they are switched off.
    var addresses: ManagedIdentityAddresses? {
        get { state.withLock { $0.addresses } }
        set { state.withLock { $0.addresses = newValue } }
    }

    /// The identities that are assigned to the machine.
    var assigned: [EmulatorDirectory.ManagedIdentity] {
        let removed = state.withLock { $0.removed }
        return directory.managedIdentities.filter { !removed.contains($0.objectID.lowercased()) }
    }

    /// The identities of the directory, and whether each is assigned to the machine.
    var all: [(identity: EmulatorDirectory.ManagedIdentity, isAssigned: Bool)] {
        let removed = state.withLock { $0.removed }
        return directory.managedIdentities.map { ($0, !removed.contains($0.objectID.lowercased())) }
    }

    /// The pending failures.
    var failures: [Failure] { state.withLock { $0.failures } }

    /// Assigns an identity to the machine, or removes it. It is identified by its name or one of its IDs.
    ///
    /// Returns whether the identity exists.
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

    /// Appends a failure of the next requests.
    func enqueue(_ failure: Failure) { state.withLock { $0.failures.append(failure) } }

    /// Returns and consumes the failure of this request, if there is one.
    ///
    /// `isFirst`: Whether the request lacks the key that Azure Arc requires.
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

    /// Restores the initial state.
    func reset() {
        state.withLock { state in
            state.removed = []
            state.failures = []
        }
    }

    /// The identity that a request asks for.
    ///
    /// - Throws: The error of that host.
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
        // A virtual machine without a system-assigned identity uses its only user-assigned one.
        guard source == .imds, let only = assigned.first else { throw .identityNotFound(at: source) }
        guard assigned.count == 1 else { throw .severalIdentities }
        return only
    }
}

/// An invalid response of a managed identity endpoint, for tests. A client must not trust it.
public enum ManagedIdentityFlaw: String, Sendable, CaseIterable {
    /// The host ignores the ID in the request, as old agents do, and issues a token for the machine's own identity.
    case otherIdentity
    /// Azure Arc's challenge names a file outside the folder of key files.
    case challengeElsewhere
    /// Azure Arc's challenge names a file in a folder below the folder of key files.
    case challengeInSubfolder
    /// Azure Arc's challenge names a link to a file elsewhere.
    case challengeLinked
    /// Azure Arc's challenge names a file of more than 4,096 bytes.
    case challengeTooLong
    /// Azure Arc's challenge names a file with a line break in the middle, which would start another header field.
    case challengeWithLineBreak
    /// Azure Arc's challenge names a file whose name does not end in `.key`.
    case challengeOfOtherKind
    /// Azure Arc's challenge names a file that does not exist.
    case challengeMissing
    /// Azure Arc's challenge has an empty path.
    case challengeWithoutPath
    /// Azure Arc's response has a second challenge, which names another file.
    case challengeTwice

    /// Whether the flaw concerns Azure Arc's first response.
    var isOfChallenge: Bool { self != .otherIdentity }
}
