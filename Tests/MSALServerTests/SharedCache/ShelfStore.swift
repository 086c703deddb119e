// Licensed under the MIT License. See LICENSE.

import MSALServer

/// A store by a developer who has read only docs/services/YourOwnStore.md.
actor ShelfStore: MSALDistributedTokenStore {
    private struct Parcel {
        var value: [UInt8]
        var version: MSALStoreVersion
        var lease: UInt64
        var end: Duration
    }

    private struct Ticket: MSALStoreLease {
        let name: MSALStoreName
        let number: UInt64
    }

    private var shelves: [MSALStorePartition: [String: Parcel]] = [:]
    private var tickets: [MSALStoreName: (number: UInt64, end: Duration)] = [:]
    private var clock = Duration.zero
    private var last: UInt64 = 0

    nonisolated var prefix: String { "shelf:" }

    func advance(by duration: Duration) { clock += duration }

    private func parcel(_ name: MSALStoreName) -> Parcel? {
        guard let parcel = shelves[name.partition]?[name.text], parcel.end > clock else { return nil }
        return parcel
    }

    private func next() -> UInt64 {
        last += 1
        return last
    }

    func read(_ names: [MSALStoreName]) -> [MSALStoreEntry?] {
        names.map { name in
            parcel(name).map { MSALStoreEntry(value: $0.value, version: $0.version, expiresIn: $0.end - clock) }
        }
    }

    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) -> Bool {
        let old = parcel(name)
        switch condition {
        case .always: break
        case .absent: guard old == nil else { return false }
        case .version(let version): guard old?.version == version else { return false }
        }
        if let lease, let old, old.lease > lease.number { return false }
        shelves[name.partition, default: [:]][name.text] = Parcel(
            value: value,
            version: MSALStoreVersion(next()),
            lease: lease?.number ?? 0,
            end: clock + expiresIn
        )
        return true
    }

    func remove(_ names: [MSALStoreName]) {
        for name in names { shelves[name.partition]?[name.text] = nil }
    }

    func removeAll(in partition: MSALStorePartition) { shelves[partition] = nil }

    func lease(on name: MSALStoreName, for duration: Duration) -> (any MSALStoreLease)? {
        if let ticket = tickets[name], ticket.end > clock { return nil }
        let ticket = Ticket(name: name, number: next())
        tickets[name] = (ticket.number, clock + duration)
        return ticket
    }

    func release(_ lease: any MSALStoreLease) {
        if tickets[lease.name]?.number == lease.number { tickets[lease.name] = nil }
    }
}
