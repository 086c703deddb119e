// Licensed under the MIT License. See LICENSE.

import Foundation

/// The app's settings for the checks of its authorities, and the authorities for which the app vouches.
package struct AuthorityPolicy: Sendable {
    /// Whether an authority with an unknown host must be confirmed by the service.
    package var isValidationEnabled = true
    /// Whether the service may be queried for cloud aliases. If not, only the authority's own host and the hosts in its
    /// metadata are contacted (docs/reference/Decisions.md#developer-known).
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

    /// Whether the app vouches for `authority`, because it is listed or on this machine
    /// (docs/reference/Decisions.md#developer-known).
    ///
    /// The app vouches for a host, and for a policy if there is one. The tenant does not matter here, because the
    /// user's tenant is known only after the sign-in. Later silent calls ask that tenant.
    package func isDeveloperKnown(_ authority: Authority) -> Bool {
        authority.isLoopback
            || developerKnown.contains { known in
                known == authority || authority.tenant.map(known.replacingTenant) == authority
            }
    }

    /// Whether `authority` has to be validated in this app (docs/reference/Protocol.md#validation).
    ///
    /// Without instance discovery the host of an Entra ID authority cannot be verified, and is accepted.
    package func validates(_ authority: Authority) -> Bool {
        guard isValidationEnabled, authority.kind != .ciam, !isDeveloperKnown(authority) else { return false }
        return authority.kind != .aad || isInstanceDiscoveryEnabled || authority.isHostKnown
    }
}
