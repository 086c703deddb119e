// Licensed under the MIT License. See LICENSE.

import Foundation

/// A block of a PEM text (RFC 7468 §2). Text around the blocks is skipped.
struct PEMBlock {
    /// The words after `BEGIN`, such as `CERTIFICATE`.
    let label: String
    /// Whether the block has the header `DEK-Info`, the old encryption of OpenSSL (RFC 1421 §4.6.1.3).
    let isEncryptedByHeader: Bool
    /// The content in DER; `nil` if it is not valid base64.
    let content: [UInt8]?

    /// The blocks of a text in their order. A block without an end is left out.
    static func blocks(of text: some Collection<UInt8>) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var label: String?
        var lines: [Substring.UTF8View] = []
        let text = String(decoding: text, as: UTF8.self)
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let begun = Self.label(in: line, after: "-----BEGIN ") {
                label = begun
                lines = []
            } else if let ended = Self.label(in: line, after: "-----END ") {
                if ended == label { blocks.append(PEMBlock(label: ended, lines: lines)) }
                label = nil
            } else if label != nil {
                lines.append(line)
            }
        }
        return blocks
    }

    private init(label: String, lines: [Substring.UTF8View]) {
        self.label = label
        // A header has a colon, and base64 has none. Only the old encryption has headers, so the content of a block
        // with headers is not read. That also skips the further lines of a header, which begin with a space.
        let headers = lines.filter { $0.contains(UInt8(ascii: ":")) }
        isEncryptedByHeader = headers.contains { String(Substring($0)).lowercased().hasPrefix("dek-info") }
        guard headers.isEmpty else {
            content = nil
            return
        }
        let letters = lines.joined().filter { $0 != 0x20 && $0 != 0x09 }
        content = Data(base64Encoded: Data(letters)).map { Array($0) }
    }

    private static func label(in line: Substring.UTF8View, after prefix: String) -> String? {
        let line = String(Substring(line)).trimmingCharacters(in: .whitespaces)
        guard line.hasPrefix(prefix), line.hasSuffix("-----"), line.utf8.count > prefix.utf8.count + 5 else {
            return nil
        }
        return String(line.dropFirst(prefix.count).dropLast(5))
    }
}
