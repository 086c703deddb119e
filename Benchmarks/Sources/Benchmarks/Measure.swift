// Licensed under the MIT License. See LICENSE.

/// Runs `body` in batches and prints the median time of one call, with the fastest and the slowest batch beside it.
func measure(_ title: String, batches: Int = 51, calls: Int, _ body: () async throws -> Void) async rethrows {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0...batches {
        let start = clock.now
        for _ in 0..<calls { try await body() }
        let (seconds, attoseconds) = (clock.now - start).components
        times.append((Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(calls))
    }
    times.removeFirst()  // Warms up.
    times.sort()
    let figures = [times[times.count / 2], times[0], times[times.count - 1]].map { $0.microseconds }
    print("\(title.padded(52)) median \(figures[0])   fastest \(figures[1])   slowest \(figures[2])")
}

extension Double {
    /// Two decimals and the unit.
    var microseconds: String { "\((self * 100).rounded() / 100) µs" }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
