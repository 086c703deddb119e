// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALSupport

extension SQLiteTransaction {
    func extras() throws(StoreError) -> [ExtraItem] {
        try run(.unreadable) {
            let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT id, key_id, sealed FROM extra"))
            var items: [ExtraItem] = []
            while let row = try rows.next() {
                if case .plain(let plain) = ring.open(row, .extra), let item = ExtraItem(payload: plain) {
                    items.append(item)
                } else {
                    try judgeUnreadable()
                }
            }
            return items.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        }
    }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        try run(.unwritable) {
            let id = ring.index(item.section, item.name)
            let payload = try ring.seal(item.payload, .extra, row: id)
            try nextNumber()
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO extra(id, key_id, sealed) VALUES (?, ?, ?)")
                .execute(arguments: [id, payload.keyID, payload.sealed])
        }
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM extra WHERE id = ?")
                .execute(arguments: [ring.index(section, name)])
        }
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT holder, until FROM lease WHERE id = ?")
            // A lease is advice: a damaged one holds nobody up.
            guard let row = try Row.fetchOne(statement, arguments: [ring.index(name)]),
                let holder = try? row.decode(String.self, forColumn: "holder"),
                let until = try? row.decode(Int64.self, forColumn: "until")
            else { return nil }
            return RefreshLease(
                name: name,
                holder: holder,
                until: Date(timeIntervalSince1970: TimeInterval(until))
            )
        }
    }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO lease(id, holder, until) VALUES (?, ?, ?)")
                .execute(arguments: [ring.index(lease.name), lease.holder, lease.until.seconds])
        }
    }

    func deleteLease(_ name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM lease WHERE id = ?").execute(arguments: [ring.index(name)])
        }
    }
}

extension ExtraItem {
    /// What a row of the table `extra` holds: the names are as private as the value.
    fileprivate var payload: Data {
        let members: JSONValue = .object(["section": .string(section), "name": .string(name), "value": value])
        return Data(members.text.utf8)
    }

    init?(payload: Data) {
        guard let members = JSONValue(parsing: payload)?.object, let section = members["section"]?.string,
            let name = members["name"]?.string, let value = members["value"]
        else { return nil }
        self.init(section: section, name: name, value: value)
    }
}
