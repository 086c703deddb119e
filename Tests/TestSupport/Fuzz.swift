// Licensed under the MIT License. See LICENSE.

import Foundation

/// Damages well-formed input, the same way each time, so that a failure is reproducible.
///
/// `scripts/fuzz 3600` runs each target for an hour, `scripts/fuzz --rounds 1000000` for as many rounds; `MSAL_FUZZ_SEED`
/// sets another seed.
package struct Fuzz {
    /// The number of damaged inputs for each target: 3000 unless `MSAL_FUZZ_ROUNDS` is set. A timed run has no fixed
    /// number.
    package static let rounds = givenRounds ?? (length == nil ? 3000 : 0)
    private static let givenRounds = number("MSAL_FUZZ_ROUNDS")
    /// The time for each target instead of a number of rounds; `nil` unless `MSAL_FUZZ_SECONDS` is set. A number of rounds
    /// comes first.
    private static let length = givenRounds == nil ? number("MSAL_FUZZ_SECONDS").map { Duration.seconds($0) } : nil
    private static let seed = number("MSAL_FUZZ_SEED") ?? 1

    private var random: SplitMix
    private let corpus: [[UInt8]]
    private let words: [[UInt8]]
    private let target: String

    /// - Parameters:
    ///   - corpus: The inputs that are damaged. There is at least one.
    ///   - words: Texts with a meaning for the parser, which are inserted at random.
    ///   - target: The name of the test in the report of a timed run.
    package init(corpus: [[UInt8]], words: [String] = [], target: String = #function) {
        random = SplitMix(state: UInt64(bitPattern: Int64(Self.seed)))
        self.corpus = corpus.isEmpty ? [[]] : corpus
        self.target = target
        self.words = words.map { Array($0.utf8) } + Self.oddities
    }

    /// Passes each unmodified input of the corpus to `body`, then `rounds` damaged ones.
    package mutating func run(rounds: Int = Fuzz.rounds, _ body: ([UInt8]) throws -> Void) rethrows {
        for input in corpus { try body(input) }
        var budget = Budget(rounds: rounds, target: target)
        while budget.allowsNext() { try body(next()) }
    }

    /// The same for an asynchronous body, such as one that sends the input through a socket.
    package mutating func run(rounds: Int = Fuzz.rounds, awaiting body: ([UInt8]) async throws -> Void) async rethrows {
        for input in corpus { try await body(input) }
        var budget = Budget(rounds: rounds, target: target)
        while budget.allowsNext() { try await body(next()) }
    }

    /// The remaining rounds, or the time if the environment sets one. It prints the rounds of a run whose length the
    /// environment sets.
    private struct Budget {
        let rounds: Int
        let target: String
        private let start = ContinuousClock.now
        private var done = 0

        init(rounds: Int, target: String) {
            self.rounds = rounds
            self.target = target
        }

        mutating func allowsNext() -> Bool {
            let time = ContinuousClock.now - start
            guard Fuzz.length.map({ time < $0 }) ?? (done < rounds) else {
                let isGiven = Fuzz.length != nil || Fuzz.givenRounds != nil
                if isGiven { print("Fuzzed for \(time.components.seconds) s, \(target): \(done) rounds.") }
                return false
            }
            done += 1
            return true
        }
    }

    /// One input of the corpus with up to four damages.
    private mutating func next() -> [UInt8] {
        var input = corpus[pick(corpus.count)]
        for _ in 0...pick(4) { wound(&input) }
        return input
    }

    private mutating func wound(_ input: inout [UInt8]) {
        guard !input.isEmpty else {
            input = words[pick(words.count)]
            return
        }
        let place = pick(input.count)
        let end = min(input.count, place + 1 + pick(16))
        switch pick(8) {
        case 0: input[place] ^= 1 << UInt8(pick(8))
        case 1: input[place] = UInt8(pick(256))
        case 2: input.removeSubrange(place..<end)
        case 3: input.removeSubrange(place...)
        case 4: input.insert(contentsOf: input[place..<end], at: place)
        case 5: input.insert(contentsOf: words[pick(words.count)], at: place)
        case 6: input.replaceSubrange(place..<end, with: words[pick(words.count)])
        default:
            let other = corpus[pick(corpus.count)]
            input.replaceSubrange(place..., with: other.dropFirst(other.isEmpty ? 0 : pick(other.count)))
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// Bytes that are hard for parsers, such as controls, broken UTF-8, separators and extreme numbers.
    private static let oddities: [[UInt8]] = [
        [0x00], [0x1F], [0x7F], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xEF, 0xBB, 0xBF],
        Array("\"".utf8), Array("\\".utf8), Array("=".utf8), Array(",".utf8), Array("%".utf8), Array(".".utf8),
        Array("9223372036854775808".utf8), Array("-1".utf8), Array("1e308".utf8), Array("1e999".utf8),
        Array(String(repeating: "[", count: 200).utf8), Array("\u{0301}\u{200D}".utf8),
    ]
}

/// Sebastiano Vigna's SplitMix64, which is small and returns the same numbers on every machine.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
