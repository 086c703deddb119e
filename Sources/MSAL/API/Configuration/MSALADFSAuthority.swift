// Licensed under the MIT License. See LICENSE.

import MSALCore

/// Direct AD FS, which is not supported.
public final class MSALADFSAuthority: MSALAuthority, @unchecked Sendable {
    /// Always fails.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008. Use an Entra ID authority instead.
    public convenience init(url: URL) throws {
        throw AuthError(.unexpected, message: "AD FS authorities are not supported.").nsError
    }
}
