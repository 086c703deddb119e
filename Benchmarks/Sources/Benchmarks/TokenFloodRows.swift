// Licensed under the MIT License. See LICENSE.

import CountedAllocations
import Foundation
import MSALServer

/// Many tokens at one API: with unpublished keys, and more valid ones than the cache can hold.
struct TokenFloodRows {
    let table: Table
    let issuer: Issuer
    let folder: String
    let most: Int

    func run() async throws {
        try await inventedKeys()
        try await differentTokens()
        try await cachedTokens()
        try await keySets()
    }

    // MARK: Invented keys

    /// A minute of tokens with invented key IDs, concurrently with valid tokens.
    private func inventedKeys() async throws {
        let validator = try await issuer.validator(caching: 10_000)
        let good = try (0..<100).map { try issuer.header($0) }
        for header in good { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let invented = try (0..<1000).map { number in
            let header = #"{"typ":"JWT","alg":"RS256","kid":"invented-\#(number)"}"#
            return ["Bearer \(try issuer.token(1, header: header, isSigned: false))"]
        }
        let seconds = most >= 10_000 ? 60 : 3
        let before = try issuer.requests(in: folder)
        var alone: [Double] = []
        var during: [Double] = []
        // In turns, so that machine load affects both equally.
        for _ in 0..<6 {
            alone.append(try await Self.slowest(of: good, by: validator, seconds: Double(seconds) / 12))
            let isOver = Flag()
            async let flood = Self.flood(of: invented, by: validator, until: isOver)
            during.append(try await Self.slowest(of: good, by: validator, seconds: Double(seconds) / 6))
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
            "99th percentile of valid tokens meanwhile, relative to without them",
            at: count,
            value: during.sorted()[3] / alone.sorted()[3],
            unit: .ratio,
            limit: Limit(what: "without", value: alone.sorted()[3]),
            target: 1.2
        )
    }

    /// The 99th percentile of the time of a check, at a thousand checks per second.
    private static func slowest(
        of headers: [[String]],
        by validator: MSALTokenValidator,
        seconds: Double
    ) async throws -> Double {
        var times: [Double] = []
        try await paced(rate: 1000) { number, begin in
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

    /// Checks a hundred thousand tokens per minute.
    private static func flood(of headers: [[String]], by validator: MSALTokenValidator, until isOver: Flag) async {
        await paced(rate: 1667) { number, _ in
            guard !isOver.isSet else { return false }
            // The rejection is expected.
            _ = try? await validator.validate(
                authorization: headers[number % headers.count],
                request: MSALRequestFacts()
            )
            return true
        }
    }

    /// Calls `body` `rate` times per second, in steps of ten milliseconds, until it returns `false`.
    static func paced(rate: Double, _ body: (Int, Moment) async throws -> Bool) async rethrows {
        let begin = Moment()
        var number = 0
        while true {
            while Double(number) <= begin.secondsSince * rate {
                guard try await body(number, begin) else { return }
                number += 1
            }
            // A canceled sleep only ends early.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    // MARK: Different tokens

    /// More valid tokens than the cache can hold, each of which is checked once. Signing them takes most of the time.
    private func differentTokens() async throws {
        let count = min(1_000_000, 10 * most)
        // The count limit is so high that only the limit in bytes applies.
        let validator = try await issuer.validator(caching: count)
        let batch = 10_000
        var slowest = 0.0
        var before = (heap: 0, process: 0)
        var largest = (heap: 0, process: 0)
        for start in stride(from: 0, to: count, by: batch) {
            let headers = try await Self.signed(start..<min(start + batch, count), by: issuer)
            // Connections, threads, and the memory of one batch exist before.
            if start == 0 { before = (heap_bytes(), residentBytes()) }
            for header in headers {
                let begin = threadMicroseconds()
                _ = try await validator.validate(authorization: header, request: MSALRequestFacts())
                slowest = max(slowest, threadMicroseconds() - begin)
            }
            largest.heap = max(largest.heap, heap_bytes() - before.heap)
            largest.process = max(largest.process, residentBytes() - before.process)
            // One batch of headers existed before, so one must exist now.
            withExtendedLifetime(headers) {}
        }
        withExtendedLifetime(validator) {}
        let limit = 16.0 * 1_048_576
        table.row(
            "peak heap use of different tokens",
            at: count,
            value: Double(largest.heap),
            unit: .bytes,
            target: limit
        )
        table.row(
            "growth of the process with these tokens",
            at: count,
            value: Double(largest.process),
            unit: .bytes,
            target: limit
        )
        table.row(
            "slowest check of these, CPU",
            at: count,
            value: slowest,
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

    /// The heap use of each cached token. The process itself would reuse memory that signing left.
    private func cachedTokens() async throws {
        let count = min(10_000, most)
        let headers = try await Self.signed(0..<count, by: issuer)
        // Warms up, so that objects that are created once do not count.
        let other = try await issuer.validator(caching: 0)
        for header in headers.prefix(500) {
            _ = try await other.validate(authorization: header, request: MSALRequestFacts())
        }
        let validator = try await issuer.validator(caching: 2 * count)
        let before = heap_bytes()
        for header in headers { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let each = Double(heap_bytes() - before) / Double(count)
        // The tokens themselves existed before, so they must exist after.
        withExtendedLifetime(headers) {}
        table.row("heap use per cached token", at: count, value: each, unit: .bytes, target: 200)
        withExtendedLifetime(validator) {}
    }

    /// The heap use of each set of six keys, including its validator, which has one set for each version of tokens.
    private func keySets() async throws {
        let count = 100
        var validators: [MSALTokenValidator] = []
        // Creates connections and buffers before the measurement.
        for _ in 0..<20 { validators.append(try await issuer.validator(caching: 10_000)) }
        let before = heap_bytes()
        for _ in 0..<count { validators.append(try await issuer.validator(caching: 10_000)) }
        let each = Double(heap_bytes() - before) / Double(2 * count)
        table.row(
            "heap use per set of six keys",
            at: 2 * count,
            value: each,
            unit: .bytes,
            target: 4096
        )
        withExtendedLifetime(validators) {}
    }
}
