// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALCore

extension HTTPSettings {
    /// Settings that trust only the authority in a file. A debug build needs longer to read the system's authorities than
    /// for a sign-in.
    package static func trusting(_ file: URL, adding variables: [String: String] = [:]) -> HTTPSettings {
        HTTPSettings(environment: variables.merging(variablesTrusting(file)) { $1 })
    }

    /// The environment for such settings.
    package static func variablesTrusting(_ file: URL?) -> [String: String] {
        ["SSL_CERT_FILE": file?.path(percentEncoded: false) ?? ""]
    }
}
