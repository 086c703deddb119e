// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The reason why a text could not be parsed as a token cache. The store is unchanged.
package enum InterchangeError: Error, Sendable, Hashable {
    /// The text has more bytes than this limit.
    case tooLarge(Int)
    /// The text is not JSON. The fault contains the position.
    case malformed(JSONReader.Fault)
    /// The text is JSON, but not a cache in the unified schema. The reason is a sentence without a period.
    case notACache(String)

    /// Describes the cause and a remedy, without quoting the text.
    var message: String {
        switch self {
        case .tooLarge(let maximumSize):
            let limit = maximumSize.isMultiple(of: 1 << 20) ? "\(maximumSize >> 20) MiB" : "\(maximumSize) bytes"
            return "The text is longer than \(limit), the limit that is set for a token cache."
        case .malformed(let fault):
            return "This is not valid JSON: \(fault). If the program that wrote it was interrupted, write it again."
        case .notACache(let reason):
            return "This is not a token cache in the unified schema: \(reason)."
        }
    }
}
