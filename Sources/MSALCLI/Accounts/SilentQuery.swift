// Licensed under the MIT License. See LICENSE.

import MSAL

/// A request for a token that does not ask the user.
struct SilentQuery {
    var remedyContext: RemedyContext
    var accountName: String?
    var isRefresh = false
    var claims: ClaimsChallenge?
    private let settings: Settings

    /// A request for the settings' scopes. `signIn` is the command line that gets the token by asking the user.
    init(_ settings: Settings, signIn: SignInCommand) {
        self.settings = settings
        remedyContext = RemedyContext(settings: settings, signIn: signIn)
    }

    /// The account for the token. If this client has no account, an account of the device is used.
    private func account(of application: MSALPublicClientApplication) async throws -> MSALAccount {
        do {
            return try AccountChoice.account(accountName, of: application, default: settings.account)
        } catch let failure as Failure where failure.status == .notSignedIn {
            let device = DeviceAccounts(of: application)
            guard let account = await device.account(accountName, default: settings.account) else { throw failure }
            return account
        }
    }

    /// Gets the token. From then on `remedyContext` knows the account too.
    ///
    /// - Throws: `Failure` with an exact remedy.
    mutating func token(by application: MSALPublicClientApplication) async throws -> MSALResult {
        try settings.checkAuthority()
        let account = try await account(of: application)
        remedyContext.signIn.loginHint = account.username
        remedyContext.signIn.claims = claims
        let parameters = MSALSilentTokenParameters(scopes: settings.scopes, account: account)
        parameters.forceRefresh = isRefresh
        parameters.claimsRequest = try claims?.request()
        let remedyContext = remedyContext
        return try await WaitLine.ofCallingThread.during(.network) {
            try await remedyContext.explaining {
                try await settings.connected { try await application.acquireTokenSilent(with: parameters) }
            }
        }
    }
}
