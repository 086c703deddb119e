// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

extension HTTPSettings {
    /// Settings that trust the authority of a file alone. A debug build needs longer to read the system's authorities than
    /// for a sign-in.
    static func trusting(_ file: URL) -> HTTPSettings {
        HTTPSettings(environment: ["SSL_CERT_FILE": file.path(percentEncoded: false)])
    }
}
