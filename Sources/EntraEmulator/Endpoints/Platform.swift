// Licensed under the MIT License. See LICENSE.

import Foundation

/// The parts of a running emulator that endpoints share.
struct Platform: Sendable {
    let configuration: EmulatorConfiguration
    let directory: Directory
    let store: EmulatorStore
    let clock: EmulatorClock
    let issuer: TokenIssuer
    let flows: SignInFlows
    let pages: Pages
    let journal: Journal
    let faults: FaultQueue
    let identity: ServerIdentity
    let certificate: PresentedCertificate
    let toDos: ToDoLists
    let native: NativeState
    let failures: FailedSignIns
    let deviceCodes: DeviceCodes
    let spentRequests: SpentRequests

    /// What the first path segment selects.
    ///
    /// - Throws: AADSTS90002 when no tenant has that name, or one that has no customers is asked for a policy.
    func selector(_ segment: TenantSegment) throws(EntraError) -> TenantSelector {
        guard let selector = directory.selector(for: segment.tenant) else { throw .unknownTenant(segment.tenant) }
        guard segment.policy != nil else { return selector }
        guard case .tenant(let tenant) = selector, tenant.kind == .external else {
            throw .unknownTenant(segment.description)
        }
        return selector
    }

    /// The tenant whose tokens a person gets when signing in through the selector.
    func issuingTenant(for user: User, in selector: TenantSelector) -> Tenant? {
        switch selector {
        case .tenant(let tenant): user.objectID(in: tenant.id) == nil ? nil : tenant
        case .common, .organizations, .consumers:
            directory.tenant(id: user.homeTenantID).flatMap { selector.admits($0) ? $0 : nil }
        }
    }

    /// The permissions an app was given: by the person and, in an External ID tenant, by an administrator on
    /// everybody's behalf.
    func consents(
        of user: User,
        to client: AppRegistration,
        in tenant: Tenant,
        audience: String
    ) async throws -> Set<String> {
        let given = try await store.consents(userID: user.id, clientID: client.clientID, audience: audience)
        guard tenant.kind == .external, client.consentedAudiences.contains(audience) else { return given }
        let scopes = directory.resource(audience: audience)?.scopes.filter { !$0.isAdministratorOnly } ?? []
        return given.union(scopes.map(\.name)).union(["openid", "profile", "email", "offline_access"])
    }

    /// Returns to the seed; keys and certificates stay.
    func reset() async throws {
        try await store.reset(users: Seed().users)
        flows.removeAll()
        toDos.clear()
        native.clear()
        failures.clear()
        deviceCodes.removeAll()
        spentRequests.clear()
        faults.clear()
        try certificate.show(nil)
        clock.reset()
        journal.clear()
    }
}
