// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation

/// The emulator as a separate program: its start, its tokens, and its memory.
///
/// Benchmarks/emulator.py starts it and is its client, so that the client's work is in another process.
struct EmulatorRows {
    let bench: Bench

    private struct Row: Decodable {
        var title: String?
        var row: String?
        var accounts: Int?
        var value: Double?
        var unit: String?
        var limit: String?
        var target: Double?
        var floor: Bool?
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    func run() throws {
        guard let emulator = bench.options.emulator else { throw Missing(description: "--emulator is missing") }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../emulator.py")
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let arguments = ["python3", script.standardized.path(), emulator, own, "--most", String(bench.options.most)]
        let driver = try Spawned("/usr/bin/env", arguments)
        var text: [UInt8] = []
        while case let more = driver.read(), !more.isEmpty {
            text += more
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                show(try JSONDecoder().decode(Row.self, from: Data(text[..<end])))
                text.removeFirst(end + 1)
            }
        }
        guard driver.end() == 0 else { throw Missing(description: "Benchmarks/emulator.py failed") }
    }

    private func show(_ row: Row) {
        if let title = row.title { return bench.table.title(title) }
        let unit: Unit =
            switch row.unit {
            case "microseconds": .microseconds
            case "bytes": .bytes
            default: .ratio
            }
        bench.table.row(
            row.row ?? "",
            at: row.accounts,
            value: row.value ?? .nan,
            unit: unit,
            limit: row.limit.map { Limit(what: $0, value: nil) },
            target: row.target,
            isFloor: row.floor ?? false
        )
    }

    /// Signatures per second of the library that signs the emulator's tokens; the best of several rounds.
    static func signingRate() throws -> Double {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let digest = SHA256.hash(data: Data("header.claims".utf8))
        var best = 0.0
        for _ in 0..<5 {
            let start = Moment()
            for _ in 0..<200 { _ = try key.signature(for: digest, padding: .insecurePKCS1v1_5) }
            best = max(best, 1e6 / start.cost(calls: 200).cpu)
        }
        return best
    }
}
