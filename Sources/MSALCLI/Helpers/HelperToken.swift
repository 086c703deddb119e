// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// A token for another program, of somebody who is signed in. Nobody is asked for anything.
struct HelperToken {
    var client: any ClientChoice
    var scope: String
    /// The account that is named; the active one without a name.
    var account: String?

    /// The token.
    ///
    /// If the caller named no account, a line on standard error names the account of the token.
    ///
    /// - Throws: `Failure`, whose remedy is the sign-in that is missing.
    func result() async throws -> MSALResult {
        let settings = try settings()
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: [scope]))
        query.accountName = account
        let result = try await query.token(by: try settings.application())
        if account == nil { Terminal.errors.write("msal: the token of \(AccountChoice.label(result.account))") }
        return result
    }

    /// The settings, whose scope is the program's, whatever the environment and the profile say.
    func settings() throws(Failure) -> Settings {
        try Settings(client, scopes: [scope])
    }
}
