// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The reason why a text could not be read as a token cache. The store is unchanged.
package struct InterchangeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that callers distinguish.
    package enum Kind: Sendable, Hashable {
        /// The text is longer than the limit.
        case tooLarge
        /// The text is no JSON. The message says where.
        case malformed(JSONReader.Fault)
        /// The text is JSON, but no cache in the unified schema.
        case notACache
    }

    let kind: Kind
    /// Cause and remedy in words; holds nothing of the text itself.
    let message: String

    package var description: String { message }

    static func tooLarge(_ maximumSize: Int) -> InterchangeError {
        let limit = maximumSize.isMultiple(of: 1 << 20) ? "\(maximumSize >> 20) MiB" : "\(maximumSize) bytes"
        return InterchangeError(
            kind: .tooLarge,
            message: "The text is longer than \(limit), the limit that is set for a token cache."
        )
    }

    static func malformed(_ fault: JSONReader.Fault) -> InterchangeError {
        InterchangeError(
            kind: .malformed(fault),
            message: "This is no JSON: \(fault). The program that wrote it was perhaps interrupted; have it write anew."
        )
    }

    static func notACache(_ reason: String) -> InterchangeError {
        InterchangeError(
            kind: .notACache,
            message: "This is no token cache in the unified schema: \(reason)."
        )
    }
}
