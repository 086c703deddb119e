// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Copies one table from a damaged store to a new one.
struct SalvagedTable {
    fileprivate struct Column {
        let name: String
        /// The declared type; empty if any type is allowed.
        let type: String
        let mayBeNull: Bool
    }

    private let name: String
    private let columns: [Column]
    /// The column by which the table is stored: the first one of the primary key, or the row ID.
    private let key: Column

    /// Uses the columns of the new store, which is intact. Columns that `source` lacks are omitted.
    ///
    /// `nil` if `source` has no such table.
    init?(_ name: String, of target: Database, in source: Database) throws {
        let sql = "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)"
        let rows = try Row.fetchAll(target, sql: sql, arguments: [name])
        // If the list of tables cannot be read, the table is skipped.
        let present = try? String.fetchSet(source, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
        let columns = rows.map { Column(name: $0["name"], type: $0["type"], mayBeNull: $0["notnull"] == 0) }
        guard let key = zip(rows, columns).first(where: { $0.0["pk"] == 1 })?.1 else {
            preconditionFailure("Every table of a store has a primary key.")
        }
        guard let present, present.contains(key.name) else { return nil }
        self.name = name
        self.columns = columns.filter { present.contains($0.name) }
        // The index over the primary key may be damaged while the rows are intact. A table that is stored by its
        // primary key has no row IDs, so the statement cannot be compiled.
        let hasNumbers = (try? target.makeStatement(sql: "SELECT rowid FROM \(name)")) != nil
        self.key = hasNumbers ? Column(name: "rowid", type: "INTEGER", mayBeNull: false) : key
    }

    /// Copies every row that is readable and valid.
    ///
    /// - Returns: Whether the table could be read to its end.
    /// - Throws: The errors of the new store; those of the damaged one are expected.
    func copy(from source: Database, to target: Database) throws -> Bool {
        var isWhole = true
        let insert = try target.makeStatement(
            sql: """
                INSERT OR IGNORE INTO \(name)(\(columns.map(\.name).joined(separator: ", ")))
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """
        )
        for range in ranges(of: source) {
            // The table is read from both ends, so that one bad page does not hide everything after it.
            for order in ["ASC", "DESC"] {
                let (rows, isComplete) = rows(of: source, in: range, order)
                for row in rows { isWhole = try put(row, by: insert) && isWhole }
                if isComplete { break }
                isWhole = false
            }
        }
        return isWhole
    }

    private typealias Range = (condition: String, arguments: StatementArguments)

    /// The ranges of the table that are read separately, so that a bad page only costs its own range.
    private func ranges(of source: Database) -> [Range] {
        let bounds: [DatabaseValue]
        switch key.type {
        // The rows have random identifiers, which are spread evenly.
        case "BLOB": bounds = (1...255).map { Data([UInt8($0)]).databaseValue }
        case "INTEGER": bounds = numbers(in: source).map(\.databaseValue)
        default: return [("1", [])]
        }
        let lower: [DatabaseValue?] = [nil] + bounds
        let upper: [DatabaseValue?] = bounds + [nil]
        return zip(lower, upper).map { lower, upper in
            var range: Range = ("1", [])
            if let lower {
                range.condition += " AND \(key.name) >= ?"
                range.arguments += [lower]
            }
            if let upper {
                range.condition += " AND \(key.name) < ?"
                range.arguments += [upper]
            }
            return range
        }
    }

    /// Row IDs that split the table into ranges of few rows, evenly spread up to the last row. Damage can hide the last
    /// row or make its ID absurdly large, so further IDs follow, each a fifth larger than the one before.
    private func numbers(in source: Database) -> [Int64] {
        var numbers = Set(sequence(first: Int64(16)) { $0 < 1 << 40 ? $0 + $0 / 5 : nil })
        if let last = try? Int64.fetchOne(source, sql: "SELECT max(rowid) FROM \(name)"), last > 0 {
            numbers.formUnion(stride(from: last / 256 + 1, to: last, by: Int(last / 256) + 1))
        }
        return numbers.sorted()
    }

    private func rows(of db: Database, in range: Range, _ order: String) -> (rows: [Row], isComplete: Bool) {
        var copies: [Row] = []
        do {
            let sql = """
                SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)
                WHERE \(range.condition) ORDER BY \(key.name) \(order)
                """
            let cursor = try Row.fetchCursor(db, sql: sql, arguments: range.arguments)
            while let row = try cursor.next() { copies.append(row.copy()) }
            return (copies, true)
        } catch {
            return (copies, false)
        }
    }

    /// `false` if the row is invalid.
    private func put(_ row: Row, by insert: Statement) throws -> Bool {
        var values = Array(row.databaseValues)
        // A lost key costs all rows that it sealed, so a key is kept even if other columns of its row are damaged; a
        // repair recreates those.
        if name == "keys" { values = zip(columns, values).map { $0.filled($1) } }
        guard zip(columns, values).allSatisfy({ $0.takes($1) }) else { return false }
        do {
            try insert.execute(arguments: StatementArguments(values))
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
    }
}

extension SalvagedTable.Column {
    /// The value, or an empty one if the column does not accept it.
    fileprivate func filled(_ value: DatabaseValue) -> DatabaseValue {
        guard !takes(value) || (value.isNull && !mayBeNull) else { return value }
        return switch type {
        case "INTEGER": 0.databaseValue
        case "BLOB": Data().databaseValue
        default: "".databaseValue
        }
    }

    fileprivate func takes(_ value: DatabaseValue) -> Bool {
        switch value.storage {
        case .null: true
        case .int64: type == "INTEGER" || type.isEmpty
        case .double: type.isEmpty
        case .string: type == "TEXT" || type.isEmpty
        case .blob: type == "BLOB" || type.isEmpty
        }
    }
}
