// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The devices that wait for a user to sign in elsewhere (RFC 8628), kept in memory.
final class DeviceCodes: Sendable {
    /// The request of a device.
    struct Request: Sendable {
        /// The digest of the device code.
        let id: String
        /// The code that the user enters.
        let userCode: String
        let tenantSegment: TenantSegment
        let clientID: String
        let scopes: RequestedScopes
        let capabilities: [String]
        let expiresAt: Date
    }

    /// The result of a device's poll.
    enum Poll: Sendable {
        case pending
        /// The device polled too early.
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

    /// The initial interval between two polls, in seconds.
    static let firstInterval = 5

    private let entries = Mutex<[String: Entry]>([:])
    private static let limit = 1_000

    /// Stores a request; if there are too many, removes the one that expires first.
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

    /// The pending request with a user code, regardless of case, spaces, and hyphens.
    func pending(userCode: String, now: Date) -> Request? {
        let typed = userCode.uppercased().filter { $0.isLetter || $0.isNumber }
        return entries.withLock { entries in
            entries.values.first { entry in
                guard case .pending = entry.status else { return false }
                return entry.request.userCode == typed && entry.request.expiresAt > now
            }?.request
        }
    }

    /// Approves the device.
    func approve(_ id: String, entitlement: Entitlement) {
        entries.withLock { entries in
            guard case .pending = entries[id]?.status else { return }
            entries[id]?.status = .approved(entitlement)
        }
    }

    /// Declines the device, and returns its client ID.
    func decline(_ id: String) -> String? {
        entries.withLock { entries in
            if case .pending = entries[id]?.status { entries[id]?.status = .declined }
            return entries[id]?.request.clientID
        }
    }

    /// The request of a device that polls, and the result; an approved one is returned only once.
    ///
    /// A waiting device that polls too early has to wait five seconds longer from then on (RFC 8628 §3.5).
    func poll(_ id: String, clientID: String, now: Date) -> (request: Request, result: Poll)? {
        entries.withLock { entries in
            guard var entry = entries[id], entry.request.clientID.lowercased() == clientID.lowercased() else {
                return nil
            }
            if case .approved(let entitlement) = entry.status {
                entries[id] = nil
                return (entry.request, .approved(entitlement))
            }
            // A device starts counting when the response arrives, and its clock may differ.
            let isTooSoon = entry.lastPoll.map { now.timeIntervalSince($0) < TimeInterval(entry.interval) - 1 } ?? false
            entry.lastPoll = now
            if isTooSoon { entry.interval += 5 }
            entries[id] = entry
            if case .declined = entry.status { return (entry.request, .declined) }
            return (entry.request, isTooSoon ? .tooFast : .pending)
        }
    }

    /// Removes all requests.
    func removeAll() { entries.withLock { $0.removeAll() } }
}
