// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The devices that wait for somebody to sign in elsewhere (RFC 8628), in memory.
final class DeviceCodes: Sendable {
    /// The request of a device.
    struct Request: Sendable {
        /// The digest of the device code.
        let id: String
        /// The code that the person types.
        let userCode: String
        let tenantSegment: TenantSegment
        let clientID: String
        let scopes: RequestedScopes
        let capabilities: [String]
        let expiresAt: Date
    }

    /// The state of a device's request.
    enum Status: Sendable {
        case pending
        case declined
        case approved(Entitlement)
    }

    private let entries = Mutex<[String: (request: Request, status: Status)]>([:])
    private static let limit = 1_000

    /// Keeps a request; the one that expires first goes when there are too many.
    func add(_ request: Request) {
        entries.withLock { entries in
            if entries.count >= Self.limit,
                let oldest = entries.values.min(by: { $0.request.expiresAt < $1.request.expiresAt })
            {
                entries[oldest.request.id] = nil
            }
            entries[request.id] = (request, .pending)
        }
    }

    /// The pending request with that user code; case, spaces and hyphens do not matter.
    func pending(userCode: String, now: Date) -> Request? {
        let typed = userCode.uppercased().filter { $0.isLetter || $0.isNumber }
        return entries.withLock { entries in
            entries.values.first { entry in
                guard case .pending = entry.status else { return false }
                return entry.request.userCode == typed && entry.request.expiresAt > now
            }?.request
        }
    }

    /// Lets the device go on.
    func approve(_ id: String, entitlement: Entitlement) {
        entries.withLock { entries in
            guard case .pending = entries[id]?.status else { return }
            entries[id]?.status = .approved(entitlement)
        }
    }

    /// Refuses the device, and returns its client id.
    func decline(_ id: String) -> String? {
        entries.withLock { entries in
            if case .pending = entries[id]?.status { entries[id]?.status = .declined }
            return entries[id]?.request.clientID
        }
    }

    /// The request and its status for a device that asks; an approved one is given once.
    func poll(_ id: String, clientID: String) -> (request: Request, status: Status)? {
        entries.withLock { entries in
            guard let entry = entries[id], entry.request.clientID.lowercased() == clientID.lowercased() else {
                return nil
            }
            if case .approved = entry.status { entries[id] = nil }
            return entry
        }
    }

    /// Forgets all devices.
    func removeAll() {
        entries.withLock { $0.removeAll() }
    }
}
