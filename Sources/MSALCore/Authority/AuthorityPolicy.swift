// Licensed under the MIT License. See LICENSE.

import Foundation

/// What the app allows to be asked about its authorities, and which of them it vouches for itself.
package struct AuthorityPolicy: Sendable {
    /// Whether an authority with an unknown host must be confirmed by the service.
    package var isValidationEnabled = true
    /// Whether the service may be asked for the alias names of clouds. When off, only the authority's own host is
    /// contacted, and what its metadata name (docs/reference/Decisions.md#developer-known).
    package var isInstanceDiscoveryEnabled = true
    /// The authorities the app lists as known.
    package var developerKnown: [Authority] = []

    package init(
        isValidationEnabled: Bool = true,
        isInstanceDiscoveryEnabled: Bool = true,
        developerKnown: [Authority] = []
    ) {
        self.isValidationEnabled = isValidationEnabled
        self.isInstanceDiscoveryEnabled = isInstanceDiscoveryEnabled
        self.developerKnown = developerKnown
    }

    /// Whether the app vouches for `authority`: it is listed, or it lives on this machine
    /// (docs/reference/Decisions.md#developer-known).
    ///
    /// The app vouches for a host, and for a policy where there is one. Which of the host's tenants a user belongs to
    /// shows only at sign-in, after which silent calls ask that tenant.
    package func isDeveloperKnown(_ authority: Authority) -> Bool {
        authority.isLoopback
            || developerKnown.contains { known in
                known == authority || authority.tenant.map(known.replacingTenant) == authority
            }
    }

    /// Whether `authority` needs no confirmation: its host is a trusted one, or the app vouches for it.
    package func isKnown(_ authority: Authority) -> Bool {
        authority.isHostKnown || isDeveloperKnown(authority)
    }

    /// Whether `authority` has to be validated in this app (docs/reference/Protocol.md#validation).
    ///
    /// Without instance discovery nobody can be asked about the host of an Entra ID authority: it is then accepted.
    package func validates(_ authority: Authority) -> Bool {
        guard isValidationEnabled, authority.kind != .ciam, !isDeveloperKnown(authority) else { return false }
        return authority.kind != .aad || isInstanceDiscoveryEnabled || authority.isHostKnown
    }
}
