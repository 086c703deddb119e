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

    /// The result of a device's question.
    enum Poll: Sendable {
        case pending
        /// The device asked before its pause was over.
        case tooFast
        case declined
        case approved(Entitlement)
    }

    /// The state of a device's request.
    private enum Status: Sendable {
        case pending
        case declined
        case approved(Entitlement)
    }

    private struct Entry {
        let request: Request
        var status = Status.pending
        var interval = DeviceCodes.firstInterval
        var lastPoll: Date?
    }

    /// The seconds that a device has to leave between two questions at first.
    static let firstInterval = 5

    private let entries = Mutex<[String: Entry]>([:])
    private static let limit = 1_000

    /// Keeps a request; the one that expires first goes when there are too many.
    func add(_ request: Request) {
        entries.withLock { entries in
            if entries.count >= Self.limit,
                let oldest = entries.values.min(by: { $0.request.expiresAt < $1.request.expiresAt })
            {
                entries[oldest.request.id] = nil
            }
            entries[request.id] = Entry(request: request)
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

    /// The request of a device that asks, and what it gets; an approved one is given once.
    ///
    /// A device that waits and asks too soon has to leave five seconds more from then on (RFC 8628 §3.5).
    func poll(_ id: String, clientID: String, now: Date) -> (request: Request, result: Poll)? {
        entries.withLock { entries in
            guard var entry = entries[id], entry.request.clientID.lowercased() == clientID.lowercased() else {
                return nil
            }
            if case .approved(let entitlement) = entry.status {
                entries[id] = nil
                return (entry.request, .approved(entitlement))
            }
            // A device starts counting when the response arrives, and its clock is not ours.
            let isTooSoon = entry.lastPoll.map { now.timeIntervalSince($0) < TimeInterval(entry.interval) - 1 } ?? false
            entry.lastPoll = now
            if isTooSoon { entry.interval += 5 }
            entries[id] = entry
            if case .declined = entry.status { return (entry.request, .declined) }
            return (entry.request, isTooSoon ? .tooFast : .pending)
        }
    }

    /// Forgets all devices.
    func removeAll() {
        entries.withLock { $0.removeAll() }
    }
}
