// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import DBus

/// Damaged messages of the session bus. A trap ends the whole run. `MSAL_FUZZ_ROUNDS` sets the length (see ``Fuzz``).
struct DBusFuzzTests {
    @Test func `recorded messages are parsed, and serialized to the same values`() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count > 10)
        for bytes in corpus {
            let message = try #require(try DBusMessage(parsing: bytes))
            let values = try message.values()
            let again = try #require(try DBusMessage(parsing: message.encoded()))
            let same = try again.values()
            #expect(same == values)
        }
    }

    @Test func `a damaged message is rejected, or serialized and parsed to the same value`() throws {
        // Lengths and alignments, which most of the parser handles.
        let words = ["\u{0}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{4}", "\u{1}v\u{0}", "a{sv}", "((((", "aaaa"]
        var fuzz = Fuzz(corpus: try Self.corpus(), words: words)
        var (messages, bodies) = (0, 0)
        try fuzz.run { input in
            guard let message = try? DBusMessage(parsing: Self.fitted(input)) else { return }  // Rejected.
            messages += 1
            guard let values = try? message.values() else { return }  // Rejected when the values are read.
            bodies += 1
            var writer = MessageWriter()
            try writer.write(values)
            var reader = MessageReader(writer.bytes, order: .little)
            var again = MessageWriter()
            try again.write(try reader.values(message.signature))
            #expect(again.bytes == writer.bytes, "\(input)")
            _ = try message.encoded()
        }
        #expect(messages > Fuzz.rounds / 50, "The mutations left too few readable messages.")
        #expect(bodies > Fuzz.rounds / 100, "The mutations left too few readable bodies.")
    }

    @Test func `a damaged signature is rejected, or serialized as it was parsed`() {
        let texts = ["ybnqiuxtdsogh", "a{sv}(i(s))aay", "a{oa{sa{sv}}}", "(((((y)))))"].map { Array($0.utf8) }
        var fuzz = Fuzz(corpus: texts, words: ["a{", "}", "(", ")", "aaaaaaaaaaaaaaaa", "v"])
        var readable = 0
        fuzz.run { input in
            guard let types = try? DBusSignature.parse(input) else { return }  // Rejected.
            readable += 1
            #expect(Array(DBusSignature.text(types).utf8) == input)
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable signatures.")
    }

    /// The message with the correct length of its body, so that damage is not detected by the length only.
    private static func fitted(_ input: [UInt8]) -> [UInt8] {
        guard let length = try? DBusMessage.length(input.prefix(16)), input.count >= 16, input[0] == 0x6C else {
            return input
        }
        let body = UInt32(input[4]) | UInt32(input[5]) << 8 | UInt32(input[6]) << 16 | UInt32(input[7]) << 24
        let fitting = Int(body) + input.count - length
        guard fitting >= 0 else { return input }
        var output = input
        for index in 0..<4 { output[4 + index] = UInt8(truncatingIfNeeded: fitting >> (8 * index)) }
        return output
    }

    /// The messages of `Tests/Fixtures/DBusCorpus`, which its README describes.
    private static func corpus() throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/DBusCorpus")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "hex" }
            .sorted { $0.path < $1.path }
            .map { file in
                try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
                    .map { try #require(UInt8($0, radix: 16)) }
            }
    }
}
