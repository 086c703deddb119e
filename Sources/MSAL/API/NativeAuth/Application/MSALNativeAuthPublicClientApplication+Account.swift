// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthPublicClientApplication {
    /// The user that is signed in, read from the store.
    ///
    /// The call sends no request. `correlationId` only marks its log lines.
    ///
    /// - Returns: `nil` if there is no account of this client, no id token of it, or if the store cannot be read.
    public func getNativeAuthUserAccount(correlationId: UUID? = nil) -> MSALNativeAuthUserAccountResult? {
        Log.lines(of: correlationId ?? Log.correlationID ?? .random()) {
            native.userAccount().map { MSALNativeAuthUserAccountResult($0, application: self) }
        }
    }
}
