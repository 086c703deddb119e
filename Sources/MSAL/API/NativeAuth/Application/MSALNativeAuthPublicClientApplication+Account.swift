// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthPublicClientApplication {
    /// The signed-in user, read from the store.
    ///
    /// The call sends no request. `correlationId` only marks its log lines.
    ///
    /// - Returns: `nil` if this client has no account or no ID token for it, or if the store cannot be read.
    public func getNativeAuthUserAccount(correlationId: UUID? = nil) -> MSALNativeAuthUserAccountResult? {
        Log.lines(of: correlationId ?? Log.correlationID ?? .random()) {
            native.userAccount().map { MSALNativeAuthUserAccountResult($0, application: self) }
        }
    }
}
