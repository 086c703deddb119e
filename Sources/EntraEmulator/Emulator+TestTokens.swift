// Licensed under the MIT License. See LICENSE.

import MSALBase

extension Emulator {
    /// Issues an access token without a sign-in. The journal records it as `minted`, without the token itself.
    ///
    /// - Throws: `TestToken.Refusal` for a user, an application, an API, a scope, or a claim that does not exist; the
    ///   message lists those that do.
    public func accessToken(_ token: TestToken) async throws -> String {
        try await parts.mint.token(token).text.exposed
    }
}
