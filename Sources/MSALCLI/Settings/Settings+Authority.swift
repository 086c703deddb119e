// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Settings {
    /// Refuses a B2C authority at the tenant's own host, unless a setting says that the host is trusted. The service
    /// cannot be asked.
    ///
    /// - Throws: `Failure` with the status `usage`, which names that setting.
    func checkAuthority() throws(Failure) {
        guard let authority, isB2C, let host = ServiceHost(authority.url), !isKnown(host) else { return }
        throw .usage(
            "Nobody can be asked whether \(host.name) may sign in for Azure AD B2C.",
            remedy: "If it is your tenant's, add: --known-authority \(authority.url.absoluteString)"
        )
    }

    /// Whether the library may accept a host's authorities as known. The library itself compares more than the host.
    private func isKnown(_ host: ServiceHost) -> Bool {
        host.isLoopback || Cloud.of(host: host.environment) != nil
            || knownAuthorities.contains { ServiceHost($0.url) == host }
    }
}
