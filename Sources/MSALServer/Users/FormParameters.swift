// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The parameters of a form or a query (`application/x-www-form-urlencoded`), each at most once.
package struct FormParameters: Sendable {
    /// The reason why a text is rejected.
    package enum Fault: Error, Sendable {
        case tooLarge
        case malformed
        case tooMany
        /// A parameter occurs twice. Two readers might take different ones (RFC 6749 §3.1).
        case repeated
    }

    private let values: [String: Secret]

    /// Parses a text of at most 64 KiB with at most 64 parameters.
    package init(_ text: some Collection<UInt8>) throws(Fault) {
        guard text.count <= Self.maximumBytes else { throw .tooLarge }
        var values: [String: Secret] = [:]
        for part in text.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(formEncoded: pair[0]),
                let value = pair.count > 1 ? String(formEncoded: pair[1]) : ""
            else {
                throw .malformed
            }
            guard values.count < Self.maximumCount else { throw .tooMany }
            guard values.updateValue(Secret(value), forKey: name) == nil else { throw .repeated }
        }
        self.values = values
    }

    /// A parameter; `nil` if it is absent or empty, which is the same (RFC 6749 §3.1).
    package subscript(name: String) -> String? {
        values[name].flatMap { $0.exposed.isEmpty ? nil : $0.exposed }
    }

    package static let maximumBytes = 64 << 10
    private static let maximumCount = 64
}
