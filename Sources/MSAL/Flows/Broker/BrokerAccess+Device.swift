// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The facts that a broker reports about the device and its registration.
package struct DeviceSnapshot: Sendable, Hashable {
    package var isShared = false
    package var prefersQRPIN = false
    /// The user, tenant and cloud of the registration, the id of the device and the thumbprint of its certificate.
    package var username: String?
    package var tenantID: String?
    package var cloud: String?
    package var deviceID: String?
    package var certificateThumbprint: String?

    package init() {}
}

extension BrokerAccess {
    /// The device as the broker knows it. Without a broker nothing is known, which is not an error.
    ///
    /// - Throws: `.broker(.notAvailable)` where the app or the authority rules a broker out; else what the broker reports.
    /// - SeeAlso: docs/reference/Broker.md#device.
    package func device() async throws(AuthError) -> DeviceSnapshot {
        try checkUse()
        return try await knownDevice()
    }

    /// - Throws: `.broker(.notAvailable)` where the app or the authority rules a broker out.
    package func checkUse() throws(AuthError) {
        guard let refusal = refusal(for: authorityRules.configured) else { return }
        throw AuthError(.broker(.notAvailable), message: "The device is not known, because \(refusal).")
    }

    /// The registration of the device in a tenant, `nil` for the first one. It is empty where there is none.
    ///
    /// - Throws: What the broker reports.
    package func registration(tenantID: String?) async throws(AuthError) -> DeviceSnapshot {
        guard refusal(for: authorityRules.configured) == nil else { return DeviceSnapshot() }
        let device = try await knownDevice()
        guard let tenantID, !tenantID.isEmpty else { return device }
        return device.tenantID?.caseInsensitiveCompare(tenantID) == .orderedSame ? device : DeviceSnapshot()
    }

    private func knownDevice() async throws(AuthError) -> DeviceSnapshot {
        let id = Log.correlationID ?? .random()
        guard await broker.availability().isPresent else { return DeviceSnapshot() }
        let device: BrokerDevice
        do throws(BrokerFailure) {
            device = try await broker.information(correlationID: id).device ?? BrokerDevice()
        } catch {
            guard error.kind.leavesToOthers else { throw AuthError(error) }
            return DeviceSnapshot()
        }
        var snapshot = DeviceSnapshot()
        snapshot.isShared = device.isShared
        snapshot.prefersQRPIN = device.preferredAuthMethod?.lowercased() == "qrpin"
        guard device.isRegistered != false else { return snapshot }
        snapshot.deviceID = device.deviceID
        snapshot.tenantID = device.tenantID
        snapshot.certificateThumbprint = device.certificateThumbprint
        guard let owner = await owner(of: device, correlationID: id) else { return snapshot }
        snapshot.username = owner.username
        snapshot.tenantID = device.tenantID ?? owner.realm ?? owner.homeTenantID
        snapshot.cloud = owner.environment
        return snapshot
    }

    /// The user for whom the device is registered: the broker's first account of that tenant. Without an owner, the way
    /// in which the device is shared is still worth knowing.
    private func owner(of device: BrokerDevice, correlationID: UUID) async -> BrokerAccount? {
        do throws(BrokerFailure) {
            return try await listedAccounts(for: authorityRules.configured, correlationID: correlationID)
                .first { $0.belongs(toTenant: device.tenantID) }
        } catch {
            Log.info("The user of the device's registration is not known: \(error.message)")
            return nil
        }
    }
}

extension BrokerAccount {
    fileprivate var homeTenantID: String? { AccountReference(homeAccountID: homeAccountID, username: nil).homeTenantID }

    fileprivate func belongs(toTenant tenantID: String?) -> Bool {
        guard let tenantID else { return true }
        return [realm, homeTenantID].contains { $0?.caseInsensitiveCompare(tenantID) == .orderedSame }
    }
}
