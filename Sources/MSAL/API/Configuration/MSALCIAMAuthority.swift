// Licensed under the MIT License. See LICENSE.

import MSALCore

/// Microsoft Entra External ID: customer accounts.
public final class MSALCIAMAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from its URL; custom domains are accepted.
    ///
    /// `https://contoso.ciamlogin.com` without a path gets `/contoso.onmicrosoft.com`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host name with
    ///   a dot. Correct the URL.
    public convenience init(url: URL) throws { try self.init(url: url, validateFormat: false) }

    /// Creates an authority from its URL; with `validateFormat`, only hosts of the form `<name>.ciamlogin.com` are
    /// accepted.
    ///
    /// - Throws: The same errors as ``init(url:)``, also for hosts that are not accepted.
    public convenience init(url: URL, validateFormat: Bool) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .ciam(url, strict: validateFormat) })
    }
}
