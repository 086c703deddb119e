// Licensed under the MIT License. See LICENSE.

import Foundation

/// The cost of one operation, in microseconds.
struct Cost {
    /// The processor's time, of all threads of this process.
    var cpu: Double
    /// The time that passed.
    var wall: Double
}

/// A moment, by the process's processor time and by the clock.
struct Moment {
    private let cpu: Double
    private let wall: Double

    init() {
        cpu = Self.microseconds(CLOCK_PROCESS_CPUTIME_ID)
        wall = Self.microseconds(CLOCK_MONOTONIC)
    }

    /// The cost of what happened since.
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

/// The time that this thread has had of the processor, in microseconds.
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

    var least: Double { cpu.first ?? .nan }
    var median: Double { cpu.isEmpty ? .nan : cpu[cpu.count / 2] }
    var wallMedian: Double { wall.isEmpty ? .nan : wall[wall.count / 2] }

    /// The same for one of `parts` that each operation had.
    func divided(by parts: Int) -> Figure {
        var copy = self
        copy.cpu = cpu.map { $0 / Double(parts) }
        copy.wall = wall.map { $0 / Double(parts) }
        return copy
    }

    /// What is left of each figure without another cost.
    func without(_ other: Figure) -> Figure {
        var copy = self
        copy.cpu = cpu.map { Swift.max(0, $0 - other.median) }
        copy.wall = wall.map { Swift.max(0, $0 - other.wallMedian) }
        return copy
    }
}

/// How often something is measured.
struct Rounds {
    /// Samples at most.
    var samples = 31
    /// Calls in each sample. A sample is their mean.
    var calls = 1
    /// Samples are taken for so many seconds at most, but one at least.
    var seconds = 1.5
}

/// Measures `body`, which gets the number of the call. One sample is not counted, so that the code is warm, unless the
/// first call is what is measured.
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
        // A single call that takes so long is not repeated only to warm up.
        if begin.secondsSince > rounds.seconds { costs.append(first) }
    }
    while costs.count < rounds.samples, costs.isEmpty || begin.secondsSince < rounds.seconds {
        costs.append(try await sample())
    }
    return Figure(costs)
}

/// The memory of this process, in bytes, by a line of `/proc/self/status`.
func memory(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
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

/// Writes a line, at once, also through a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
