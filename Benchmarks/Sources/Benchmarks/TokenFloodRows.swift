// Licensed under the MIT License. See LICENSE.

import CountedAllocations
import Foundation
import MSALServer

/// Many tokens at one API: with keys that nobody publishes, and more good ones than are remembered.
struct TokenFloodRows {
    let table: Table
    let issuer: Issuer
    let folder: String
    let most: Int

    func run() async throws {
        try await inventedKeys()
        try await differentTokens()
        try await remembered()
        try await keySets()
    }

    // MARK: Invented keys

    /// A minute of strangers, beside callers with good tokens.
    private func inventedKeys() async throws {
        let validator = try await issuer.validator(remembering: 10_000)
        let good = try (0..<100).map { try issuer.header($0) }
        for header in good { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let strangers = try (0..<1000).map { number in
            let header = #"{"typ":"JWT","alg":"RS256","kid":"invented-\#(number)"}"#
            return ["Bearer \(try issuer.token(1, header: header, isSigned: false))"]
        }
        let seconds = most >= 10_000 ? 60 : 3
        let before = try issuer.requests(in: folder)
        var alone: [Double] = []
        var beside: [Double] = []
        // In turns, so that both see the same machine.
        for _ in 0..<6 {
            alone.append(try await Self.slowest(of: good, by: validator, seconds: Double(seconds) / 12))
            let isOver = Flag()
            async let flood = Self.flood(of: strangers, by: validator, until: isOver)
            beside.append(try await Self.slowest(of: good, by: validator, seconds: Double(seconds) / 6))
            isOver.set()
            _ = await flood
        }
        let fetches = try issuer.requests(in: folder) - before
        let count = 100_000 * seconds / 60
        table.row(
            "key fetches for tokens with invented key IDs",
            at: count,
            value: Double(fetches),
            unit: .ratio,
            target: 1
        )
        table.row(
            "the 99th percentile of good tokens beside them, in times of alone",
            at: count,
            value: beside.sorted()[3] / alone.sorted()[3],
            unit: .ratio,
            limit: Limit(what: "alone", value: alone.sorted()[3]),
            target: 1.2
        )
    }

    /// The 99th percentile of the time of a check, at a thousand of them a second.
    private static func slowest(
        of headers: [[String]],
        by validator: MSALTokenValidator,
        seconds: Double
    ) async throws -> Double {
        var times: [Double] = []
        try await paced(a: 1000) { number, begin in
            guard begin.secondsSince < seconds else { return false }
            let start = Moment()
            _ = try await validator.validate(
                authorization: headers[number % headers.count],
                request: MSALRequestFacts()
            )
            times.append(start.cost().wall)
            return true
        }
        return times.sorted()[times.count * 99 / 100]
    }

    /// A hundred thousand strangers a minute.
    private static func flood(of headers: [[String]], by validator: MSALTokenValidator, until isOver: Flag) async {
        await paced(a: 1667) { number, _ in
            guard !isOver.isSet else { return false }
            // The refusal is what is wanted.
            _ = try? await validator.validate(
                authorization: headers[number % headers.count],
                request: MSALRequestFacts()
            )
            return true
        }
    }

    /// Calls `body` so many times a second, in steps of ten milliseconds, until it says that it was the last one.
    static func paced(a second: Double, _ body: (Int, Moment) async throws -> Bool) async rethrows {
        let begin = Moment()
        var number = 0
        while true {
            while Double(number) <= begin.secondsSince * second {
                guard try await body(number, begin) else { return }
                number += 1
            }
            // A cancelled pause only ends early.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    // MARK: Different tokens

    /// More good tokens than the memory holds, each of which comes once. Signing takes most of the time.
    private func differentTokens() async throws {
        let count = min(1_000_000, 10 * most)
        // So many may be remembered that the limit in bytes is what holds.
        let validator = try await issuer.validator(remembering: count)
        let batch = 10_000
        var dearest = 0.0
        var before = (heap: 0, process: 0)
        var largest = (heap: 0, process: 0)
        for start in stride(from: 0, to: count, by: batch) {
            let headers = try await Self.signed(start..<min(start + batch, count), by: issuer)
            // Connections, threads and the room for one batch are there before.
            if start == 0 { before = (heap_bytes(), residentBytes()) }
            for header in headers {
                let begin = threadMicroseconds()
                _ = try await validator.validate(authorization: header, request: MSALRequestFacts())
                dearest = max(dearest, threadMicroseconds() - begin)
            }
            largest.heap = max(largest.heap, heap_bytes() - before.heap)
            largest.process = max(largest.process, residentBytes() - before.process)
            // A batch of headers is there before, so one must be there now.
            withExtendedLifetime(headers) {}
        }
        withExtendedLifetime(validator) {}
        let limit = 16.0 * 1_048_576
        table.row(
            "what different tokens have of the heap",
            at: count,
            value: Double(largest.heap),
            unit: .bytes,
            target: limit
        )
        table.row(
            "growth of the process with them",
            at: count,
            value: Double(largest.process),
            unit: .bytes,
            target: limit
        )
        table.row(
            "the dearest check of these, of the processor's time",
            at: count,
            value: dearest,
            unit: .microseconds,
            target: 5000
        )
    }

    /// Headers with tokens, signed on all processors.
    private static func signed(_ numbers: Range<Int>, by issuer: Issuer) async throws -> [[String]] {
        let workers = ProcessInfo.processInfo.activeProcessorCount
        return try await withThrowingTaskGroup(of: [[String]].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    try stride(from: numbers.lowerBound + worker, to: numbers.upperBound, by: workers).map {
                        try issuer.header($0)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    // MARK: Memory

    /// What each token that is remembered has of the heap. The process itself would grow into room that signing has left.
    private func remembered() async throws {
        let count = min(10_000, most)
        let headers = try await Self.signed(0..<count, by: issuer)
        // What is not kept is there before.
        let other = try await issuer.validator(remembering: 0)
        for header in headers.prefix(500) {
            _ = try await other.validate(authorization: header, request: MSALRequestFacts())
        }
        let validator = try await issuer.validator(remembering: 2 * count)
        let before = heap_bytes()
        for header in headers { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let each = Double(heap_bytes() - before) / Double(count)
        // The tokens themselves were there before, so they must be there after.
        withExtendedLifetime(headers) {}
        table.row("what each remembered token has of the heap", at: count, value: each, unit: .bytes, target: 200)
        withExtendedLifetime(validator) {}
    }

    /// What each set of six keys has of the heap, with the validator around it. It has one for either version of tokens.
    private func keySets() async throws {
        let count = 100
        var validators: [MSALTokenValidator] = []
        // Connections and their buffers are there before.
        for _ in 0..<20 { validators.append(try await issuer.validator(remembering: 10_000)) }
        let before = heap_bytes()
        for _ in 0..<count { validators.append(try await issuer.validator(remembering: 10_000)) }
        let each = Double(heap_bytes() - before) / Double(2 * count)
        table.row(
            "what each key set of six keys has of the heap",
            at: 2 * count,
            value: each,
            unit: .bytes,
            target: 4096
        )
        withExtendedLifetime(validators) {}
    }
}
