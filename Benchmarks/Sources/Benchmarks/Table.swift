// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The cost of a similar operation without the library, or another remark about a row.
struct Limit {
    var what: String
    /// The value in the row's unit; `nil` if the text contains it.
    var value: Double?
}

/// The unit of a row's figures.
enum Unit: String, Encodable {
    case microseconds, bytes, ratio

    func text(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        switch self {
        case .microseconds:
            if value < 10 { return Self.decimal(value, 2) + " µs" }
            if value < 1000 { return Self.decimal(value, 1) + " µs" }
            return Self.decimal(value / 1000, value < 10_000 ? 2 : 1) + " ms"
        case .bytes:
            return value < 10_000
                ? "\(Int(value)) B"
                : value < 10e6 ? Self.decimal(value / 1e3, 1) + " KB" : Self.decimal(value / 1e6, 1) + " MB"
        case .ratio: return Self.decimal(value, 2)
        }
    }

    private static func decimal(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}

/// Prints rows, and lists those that missed their target or could not be measured.
///
/// Appends each row as JSON to the file in `BENCHMARK_FIGURES`, from which Benchmarks/figures.py makes the tables of the page.
final class Table: Sendable {
    private struct Peer: Decodable {
        let name: String
        let figures: [String: Double]
    }

    private struct Record: Encodable {
        let row: String
        let unit: Unit
        let median: Double
        let minimum: Double?
        let maximum: Double?
        let target: Double?
        let isMissed: Bool
        let peers: [String: Double]
    }

    private let peers: [Peer]
    private let missed = Mutex<[String]>([])
    private let failures = Mutex<[String]>([])
    private let group = Mutex("")
    private let records: FileHandle?

    /// Each file contains the name and the figures of another library.
    init(peers files: [String]) throws {
        peers = try files.map { try JSONDecoder().decode(Peer.self, from: Data(contentsOf: URL(filePath: $0))) }
        records = ProcessInfo.processInfo.environment["BENCHMARK_FIGURES"].flatMap(FileHandle.init(forWritingAtPath:))
        try records?.seekToEnd()
    }

    /// Starts a group of rows.
    func title(_ text: String) {
        say("\n" + text)
        group.withLock { $0 = text }
        line("", "accounts", ["CPU min", "CPU median", "wall", "machine"] + peers.map(\.name) + ["target"])
    }

    /// Prints a row of times.
    ///
    /// `key` is the row's name in the figures of other libraries.
    func row(
        _ what: String,
        at accounts: Int?,
        _ figure: Figure,
        limit: Limit? = nil,
        key: String? = nil,
        target: Double? = nil
    ) {
        let unit = Unit.microseconds
        cells(
            what,
            at: accounts,
            [unit.text(figure.minimum), unit.text(figure.median), unit.text(figure.wallMedian)],
            (figure.median, (figure.minimum, figure.maximum)),
            unit,
            (limit, key, target.map { ($0, !(figure.median <= $0)) })
        )
    }

    /// Prints a row with one figure.
    func row(
        _ what: String,
        at accounts: Int?,
        value: Double,
        unit: Unit,
        limit: Limit? = nil,
        key: String? = nil,
        target: Double? = nil,
        isFloor: Bool = false
    ) {
        // NaN reaches no target.
        let isReached = target.map { isFloor ? value >= $0 : value <= $0 }
        cells(
            what,
            at: accounts,
            ["", unit.text(value), ""],
            (value, nil),
            unit,
            (limit, key, target.map { ($0, isReached != true) })
        )
    }

    /// Prints why a row or a group of rows could not be measured. The program then fails at the end.
    func failed(_ what: String, at accounts: Int?, because reason: String) {
        line(what, accounts.map(String.init) ?? "", ["FAILED: " + reason])
        let row = name(of: what, at: accounts)
        failures.withLock { $0.append("\(row): \(reason)") }
    }

    func showMissed() {
        let missed = missed.withLock { $0 }
        say(missed.isEmpty ? "\nNo target was missed." : "\nMissed: \(missed.count)")
        for text in missed { say("  " + text) }
    }

    /// Lists the rows that could not be measured, and returns their number.
    func showFailures() -> Int {
        let failures = failures.withLock { $0 }
        if !failures.isEmpty { say("\nFailed: \(failures.count)") }
        for text in failures { say("  " + text) }
        return failures.count
    }

    private func cells(
        _ what: String,
        at accounts: Int?,
        _ figures: [String],
        _ figure: (median: Double, range: (minimum: Double, maximum: Double)?),
        _ unit: Unit,
        _ context: (limit: Limit?, key: String?, target: (value: Double, isMissed: Bool)?)
    ) {
        let limit = context.limit.map { limit in
            limit.value.map { "\(limit.what) \(unit.text($0))" } ?? limit.what
        }
        let others = peers.map { peer in context.key.flatMap { peer.figures["\($0)/\(accounts ?? 0)"] } }
        let target = context.target.map { "[\(unit.text($0.value))]\($0.isMissed ? " MISSED" : "")" }
        line(
            what,
            accounts.map(String.init) ?? "",
            figures + [limit ?? ""] + others.map { $0.map(unit.text) ?? "" } + [target ?? ""]
        )
        let row = name(of: what, at: accounts)
        if let target = context.target, target.isMissed {
            missed.withLock { $0.append("\(row): \(unit.text(figure.median)) [\(unit.text(target.value))]") }
        }
        let pairs = zip(peers, others).compactMap { peer, value in value.map { (peer.name, $0) } }
        save(
            Record(
                row: row,
                unit: unit,
                median: figure.median,
                minimum: figure.range?.minimum,
                maximum: figure.range?.maximum,
                target: context.target?.value,
                isMissed: context.target?.isMissed ?? false,
                peers: Dictionary(pairs) { first, _ in first }
            )
        )
    }

    /// JSON has no NaN, so a row without a value is not saved.
    private func save(_ record: Record) {
        guard let records, let line = try? JSONEncoder().encode(record) else { return }
        records.write(line + Data("\n".utf8))
    }

    private func name(of what: String, at accounts: Int?) -> String {
        group.withLock { "\($0): " } + what + (accounts.map { ", \($0) account\($0 == 1 ? "" : "s")" } ?? "")
    }

    private func line(_ what: String, _ accounts: String, _ columns: [String]) {
        let widths = [11, 11, 11, 28] + peers.map { max(14, $0.name.count) } + [0]
        var text = "  " + what.padded(80) + accounts.padded(9)
        for (column, width) in zip(columns, widths) { text += column.padded(width) + " " }
        say(text.trimmingSuffix(" "))
    }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

    func trimmingSuffix(_ character: Character) -> String {
        var copy = self
        while copy.last == character { copy.removeLast() }
        return copy
    }
}
