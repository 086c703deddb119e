// Licensed under the MIT License. See LICENSE.

import MSALCore

/// Microsoft Entra External ID: customer accounts.
public final class MSALCIAMAuthority: MSALAuthority, @unchecked Sendable {
    /// An authority by its URL; custom domains pass.
    ///
    /// `https://contoso.ciamlogin.com` without a path gets `/contoso.onmicrosoft.com`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host name with
    ///   a dot. Correct the URL.
    public convenience init(url: URL) throws {
        try self.init(url: url, validateFormat: false)
    }

    /// An authority by its URL; with `validateFormat` only hosts of the form `<name>.ciamlogin.com` pass.
    ///
    /// - Throws: As ``init(url:)``, and for other hosts where they do not pass.
    public convenience init(url: URL, validateFormat: Bool) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .ciam(url, strict: validateFormat) })
    }
}
