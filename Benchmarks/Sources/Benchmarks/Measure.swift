// Licensed under the MIT License. See LICENSE.

import Foundation

/// Times in microseconds, and their figures.
struct Times {
    private var sorted: [Double]

    init(_ times: [Double]) {
        sorted = times.sorted()
    }

    var median: Double { sorted[sorted.count / 2] }

    var line: String {
        "median \(median.shown)   fastest \((sorted.first ?? 0).shown)   slowest \((sorted.last ?? 0).shown)"
    }
}

/// Runs `body` in batches, after one batch to warm up, and gives the time of one call in each batch.
func times(batches: Int = 51, calls: Int, _ body: () async throws -> Void) async rethrows -> Times {
    var times: [Double] = []
    for batch in 0...batches {
        let batchTime = try await microseconds {
            for _ in 0..<calls { try await body() }
        }
        if batch > 0 { times.append(batchTime / Double(calls)) }
    }
    return Times(times)
}

/// The time `body` takes, once.
func microseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let (seconds, attoseconds) = (clock.now - start).components
    return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
}

/// Prints one figure; `target` in microseconds, with a word on whether it was met.
func report(_ title: String, _ times: Times, target: Double? = nil) {
    let verdict = target.map { times.median <= $0 ? "   within \($0.shown)" : "   MISSES \($0.shown)" } ?? ""
    print("  " + title.padded(54) + times.line + verdict)
}

/// The memory of this process that is in use now, in bytes.
func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096
}

extension Double {
    /// With two decimals, in microseconds, from a thousand on in milliseconds.
    var shown: String {
        self < 1000 ? "\((self * 100).rounded() / 100) µs" : "\((self / 10).rounded() / 100) ms"
    }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
