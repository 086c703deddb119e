// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The decoded parameters of a query string or an `application/x-www-form-urlencoded` body.
package struct FormValues: Sendable {
    /// Name and value in the order in which they were sent.
    let pairs: [(name: String, value: String)]

    /// Decodes the text; `nil` if a percent escape is malformed or the bytes are not UTF-8.
    init?(_ text: String) {
        var pairs: [(name: String, value: String)] = []
        // Split bytes, because a separator and a following combining mark would form one character.
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(formEncoded: halves[0]) else { return nil }
            guard let value = halves.count == 2 ? String(formEncoded: halves[1]) : "" else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    private init(pairs: [(name: String, value: String)]) { self.pairs = pairs }

    /// No parameters.
    static let empty = FormValues(pairs: [])

    /// The first value with a name, unless it is empty; RFC 6749 §3.1 treats an empty parameter as omitted.
    subscript(name: String) -> String? {
        pairs.first { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The last value with a name, unless it is empty; native authentication allows repetitions.
    func last(_ name: String) -> String? {
        pairs.last { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of a repeated parameter, which RFC 6749 §3.1 forbids.
    var duplicatedName: String? {
        var seen: Set<String> = []
        return pairs.first { !seen.insert($0.name).inserted }?.name
    }

    /// Encodes parameters as a form, with spaces as `%20`, so that the text is valid in queries and fragments.
    package static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0.0.percentEncoded())=\($0.1.percentEncoded())" }.joined(separator: "&")
    }
}
