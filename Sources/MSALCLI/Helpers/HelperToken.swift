// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// Gets a token of a signed-in user for another program. It asks the user nothing.
struct HelperToken {
    var client: any ClientChoice
    var scope: String
    /// The account that the program names; `nil` is the active account.
    var account: String?

    /// The token.
    ///
    /// If the caller named no account, a line on standard error names the account of the token.
    ///
    /// - Throws: `Failure`. Its remedy is the sign-in that is missing.
    func result() async throws -> MSALResult {
        let settings = try settings()
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: [scope]))
        query.accountName = account
        let result = try await query.token(by: try settings.application())
        if account == nil { Terminal.errors.write("msal: the token of \(AccountChoice.label(result.account))") }
        return result
    }

    /// The settings with the scope of the program. The scopes of the environment and the profile are ignored.
    func settings() throws(Failure) -> Settings { try Settings(client, scopes: [scope]) }
}
