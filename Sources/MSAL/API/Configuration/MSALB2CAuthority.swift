// Licensed under the MIT License. See LICENSE.

import MSALCore

/// Azure AD B2C: a tenant and a policy.
///
/// A host that the library does not know must be listed in ``MSALPublicClientApplicationConfig/knownAuthorities``;
/// otherwise requests fail with the detail -42008.
public final class MSALB2CAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from its URL, such as
    /// `https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host. Correct
    ///   the URL.
    public convenience init(url: URL) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .b2c(url) })
    }
}
