// Licensed under the MIT License. See LICENSE.

import MSAL
import MSALCore

extension Settings {
    /// What the library is told of authorities.
    var authorityPolicy: AuthorityPolicy { AuthorityPolicy(developerKnown: knownAuthorities.map(\.core)) }

    /// Refuses a B2C authority at a host of the tenant's own, for which nobody vouches: the service cannot be asked.
    ///
    /// - Throws: `Failure` with the status `usage`, which says how to vouch for it.
    func checkAuthority() throws(Failure) {
        guard let authority, isB2C, !authorityPolicy.isKnown(authority.core) else { return }
        throw .usage(
            "Nobody can be asked whether \(authority.url.host() ?? "the host") may sign in for Azure AD B2C.",
            remedy: "If it is your tenant's, add: --known-authority \(authority.url.absoluteString)"
        )
    }
}
