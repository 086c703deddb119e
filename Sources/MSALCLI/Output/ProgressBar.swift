// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Synchronization

/// A line on standard error that shows the progress of a transfer. If standard error is not a terminal, there is no
/// line.
final class ProgressBar: Sendable {
    private let terminal: Terminal
    private let drawn = Mutex<ContinuousClock.Instant?>(nil)

    init(_ terminal: Terminal = .errors) { self.terminal = terminal }

    /// Shows the number of transferred bytes and of all bytes, at most ten times a second.
    func show(_ done: Int, of total: Int?) {
        guard terminal.isInteractive, !CommandLog.isVerbose else { return }
        let isDue = drawn.withLock { drawn in
            let now = ContinuousClock.now
            guard done == total || drawn.map({ now - $0 >= .milliseconds(100) }) ?? true else { return false }
            drawn = now
            return true
        }
        if isDue { terminal.overwrite("\(Self.line(done, of: total, width: terminal.width ?? 80))") }
    }

    /// Clears the line.
    func end() { if drawn.withLock({ $0 != nil }) { terminal.clearLine() } }

    /// The line: a bar, the percentage and both numbers.
    static func line(_ done: Int, of total: Int?, width: Int) -> String {
        guard let total, total > 0 else { return String(size(done).prefix(max(0, width - 1))) }
        let part = min(1, Double(done) / Double(total))
        let percent = "\(Int(part * 100))".leftPadded(to: 3)
        let numbers = "\(percent) %  \(size(done).leftPadded(to: 8)) of \(size(total))"
        let room = width - 2 - numbers.count - 1
        guard room >= 8 else { return String(numbers.prefix(max(0, width - 1))) }
        let length = min(room, 40)
        let full = Int(part * Double(length))
        return String(repeating: "█", count: full) + String(repeating: "░", count: length - full) + "  " + numbers
    }

    private static func size(_ bytes: Int) -> String {
        let units = ["B", "KB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        let digits = unit == 0 ? "\(bytes)" : String(format: "%.1f", value)
        return "\(digits) \(units[unit])"
    }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: " ", count: Swift.max(0, length - count)) + self
    }
}
