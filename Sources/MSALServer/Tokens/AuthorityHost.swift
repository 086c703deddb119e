// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALCore

/// The value of `AZURE_AUTHORITY_HOST`: a host, or an https address.
package enum AuthorityHost {
    /// The host of the public cloud.
    package static let usual = "login.microsoftonline.com"

    /// The address of a host, without a path; `nil` if the text is neither.
    package static func address(_ text: String) -> URL? {
        let text = text.contains("://") ? text : "https://\(text)"
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "https", let host = parts.host,
            !host.isEmpty, parts.query == nil, parts.fragment == nil, HTTPAddress(text) != nil
        else { return nil }
        var address = URLComponents()
        address.scheme = "https"
        address.host = host.lowercased()
        address.port = parts.port
        return address.url
    }
}
