// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Settings {
    /// Refuses a B2C authority at a host of the tenant's own, unless a setting says that the host is trusted. No
    /// request to the service can answer whether it is.
    ///
    /// - Throws: `Failure` with the status `usage`, which names that setting.
    func checkAuthority() throws(Failure) {
        guard let authority, isB2C, let host = ServiceHost(authority.url), !isKnown(host) else { return }
        throw .usage(
            "Nobody can be asked whether \(host.name) may sign in for Azure AD B2C.",
            remedy: "If it is your tenant's, add: --known-authority \(authority.url.absoluteString)"
        )
    }

    /// Whether the command trusts the host: it is this machine, a host of a cloud, or in the settings. The library
    /// itself compares more than the host.
    private func isKnown(_ host: ServiceHost) -> Bool {
        host.isLoopback || Cloud.of(host: host.environment) != nil
            || knownAuthorities.contains { ServiceHost($0.url) == host }
    }
}
