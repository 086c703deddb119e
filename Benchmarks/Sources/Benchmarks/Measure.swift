// Licensed under the MIT License. See LICENSE.

import Foundation

/// The cost of one operation, in microseconds.
struct Cost {
    /// The processor time of all threads of this process.
    var cpu: Double
    /// The elapsed time.
    var wall: Double
}

/// A reading of the process's CPU clock and of the monotonic clock.
struct Moment {
    private let cpu: Double
    private let wall: Double

    init() {
        cpu = Self.microseconds(CLOCK_PROCESS_CPUTIME_ID)
        wall = Self.microseconds(CLOCK_MONOTONIC)
    }

    /// The mean cost of `calls` calls since then.
    func cost(calls: Int = 1) -> Cost {
        let now = Moment()
        return Cost(cpu: (now.cpu - cpu) / Double(calls), wall: (now.wall - wall) / Double(calls))
    }

    var secondsSince: Double { (Self.microseconds(CLOCK_MONOTONIC) - wall) / 1e6 }

    private static func microseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}

/// The processor time of this thread, in microseconds.
func threadMicroseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Costs of the same operation.
struct Figure {
    private var cpu: [Double]
    private var wall: [Double]

    init(_ costs: [Cost]) {
        cpu = costs.map(\.cpu).sorted()
        wall = costs.map(\.wall).sorted()
    }

    var minimum: Double { cpu.first ?? .nan }
    var median: Double { cpu.isEmpty ? .nan : cpu[cpu.count / 2] }
    var maximum: Double { cpu.last ?? .nan }
    var wallMedian: Double { wall.isEmpty ? .nan : wall[wall.count / 2] }

    /// The cost of one of the `parts` of each operation.
    func divided(by parts: Int) -> Figure {
        var copy = self
        copy.cpu = cpu.map { $0 / Double(parts) }
        copy.wall = wall.map { $0 / Double(parts) }
        return copy
    }

    /// Subtracts the median of another operation.
    func without(_ other: Figure) -> Figure {
        var copy = self
        copy.cpu = cpu.map { Swift.max(0, $0 - other.median) }
        copy.wall = wall.map { Swift.max(0, $0 - other.wallMedian) }
        return copy
    }
}

/// How often an operation is measured.
struct Rounds {
    /// The maximum number of samples.
    var samples = 31
    /// The calls of each sample, which is their mean.
    var calls = 1
    /// The maximum number of seconds for all samples. At least one is taken.
    var seconds = 1.5
}

/// Measures `body`, whose argument is the number of the call. The first sample warms up and is not counted, unless `isWarm`.
func measured(
    _ rounds: Rounds,
    isWarm: Bool = false,
    _ body: (Int) async throws -> Void
) async rethrows -> Figure {
    var number = 0
    func sample() async throws -> Cost {
        let start = Moment()
        for _ in 0..<rounds.calls {
            try await body(number)
            number += 1
        }
        return start.cost(calls: rounds.calls)
    }
    let begin = Moment()
    var costs: [Cost] = []
    if !isWarm {
        let first = try await sample()
        // A call that takes longer than all samples may is not repeated just to warm up.
        if begin.secondsSince > rounds.seconds { costs.append(first) }
    }
    while costs.count < rounds.samples, costs.isEmpty || begin.secondsSince < rounds.seconds {
        costs.append(try await sample())
    }
    return Figure(costs)
}

/// A value of `/proc/PROCESS/status`, in bytes.
func memory(_ name: String, of process: String = "self") -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
}

func residentBytes() -> Int { memory("VmRSS") }

/// Pseudo-random numbers that are the same in each run.
struct Dice {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number below `bound`.
    mutating func roll(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }

    /// Numbers below `bound` in random order, each once.
    mutating func shuffled(_ bound: Int) -> [Int] {
        var numbers = Array(0..<bound)
        for index in stride(from: bound - 1, to: 0, by: -1) { numbers.swapAt(index, roll(index + 1)) }
        return numbers
    }
}

/// Writes a line without buffering.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
