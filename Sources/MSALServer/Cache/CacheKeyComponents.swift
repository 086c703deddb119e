// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// The extra parameters of an application's requests, which are a part of the token's identity.
package enum CacheKeyComponents {
    /// One text for all components. Two different sets never give the same text; no components give `nil`.
    ///
    /// Each name and value follows its length in bytes. Joined without lengths, as some libraries do it, `fmi_path` with
    /// `value` and `fmi_pat` with `hvalue` would share their tokens.
    package static func hash(of components: [String: String]) -> String? {
        guard !components.isEmpty else { return nil }
        var digest = SHA256()
        for (name, value) in components.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            for text in [name, value] { digest.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
        }
        return Base64URL.encode(digest.finalize()).lowercased()
    }
}
