// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Reads `name=value` pairs as forms and redirects encode them (WHATWG URL §5.1).
package enum RedirectParameters {
    /// The pairs of a query or a form body. If a name is repeated, its first value is used. A value appended to a
    /// redirect cannot replace the server's. Text that is not UTF-8 is kept with replacement characters.
    package static func parse(_ text: some StringProtocol) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = decode(parts[0])
            if parameters[name] == nil { parameters[name] = parts.count == 2 ? decode(parts[1]) : "" }
        }
        return parameters
    }

    /// The parameters of a redirect, from its fragment and its query. The query wins over the fragment
    /// (docs/reference/Protocol.md#redirect-parameters).
    package static func parse(_ url: URL) -> [String: String] {
        let fragment = parse(url.fragment(percentEncoded: true) ?? "")
        let query = parse(url.query(percentEncoded: true) ?? "")
        return fragment.merging(query) { _, fromQuery in fromQuery }
    }

    private static func decode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = Hexadecimal.digit(rest[rest.startIndex]),
                let low = Hexadecimal.digit(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
