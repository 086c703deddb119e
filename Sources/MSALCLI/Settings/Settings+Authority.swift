// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Settings {
    /// Rejects a B2C authority at a custom host of the tenant, unless a setting says that the host is trusted. The
    /// service cannot be asked whether it is.
    ///
    /// - Throws: `Failure` with the status `usage`, which names that setting.
    func checkAuthority() throws(Failure) {
        guard let authority, isB2C, let host = ServiceHost(authority.url), !isKnown(host) else { return }
        throw .usage(
            "\(host.name) is not known as a host of Azure AD B2C, so it is not trusted.",
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
