// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The reason why a text could not be read as a token cache. The store is unchanged.
package enum InterchangeError: Error, Sendable, Hashable {
    /// The text has more bytes than this limit.
    case tooLarge(Int)
    /// The text is no JSON. The fault says where.
    case malformed(JSONReader.Fault)
    /// The text is JSON, but no cache in the unified schema. The reason is in words without a full stop.
    case notACache(String)

    /// Cause and remedy in words; holds nothing of the text itself.
    var message: String {
        switch self {
        case .tooLarge(let maximumSize):
            let limit = maximumSize.isMultiple(of: 1 << 20) ? "\(maximumSize >> 20) MiB" : "\(maximumSize) bytes"
            return "The text is longer than \(limit), the limit that is set for a token cache."
        case .malformed(let fault):
            return "This is no JSON: \(fault). The program that wrote it was perhaps interrupted; have it write anew."
        case .notACache(let reason):
            return "This is no token cache in the unified schema: \(reason)."
        }
    }
}
