// Licensed under the MIT License. See LICENSE.

import MSALBase

extension Emulator {
    /// An access token without a sign-in. The journal has an entry about it, `minted`, without its text.
    ///
    /// - Throws: `TestToken.Refusal` for a user, an application, an API, a scope or a claim that does not exist; its text
    ///   has those that do.
    public func accessToken(_ token: TestToken) async throws -> String {
        try await parts.mint.token(token).text.exposed
    }
}
