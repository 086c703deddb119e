// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The facts that a remedy may mention.
struct Situation {
    /// What the failed command worked with, where that is known.
    var settings: Settings?
    var signIn = SignInCommand()
    /// Whether no browser is used.
    var isNative = false
    /// Whether the token is that of an app, and nobody signs in.
    var isService = false

    /// How to sign in again.
    var signInAgain: String {
        signIn.isExact ? "Sign in again: \(signIn.text)" : "Sign in again, with the same scopes: \(signIn.text)"
    }

    /// The app, as its registration is found.
    var app: String { settings.map { "the app \($0.clientID)" } ?? "the app" }

    /// What has to be registered. The port that is added to it does not count there (RFC 8252 §7.3).
    var redirectURI: String { settings?.redirectURI ?? RedirectChoice.defaultURI }

    /// How to register it.
    var registration: String {
        "Add the redirect URI \(redirectURI) to the registration of \(app), under Mobile and desktop applications."
    }

    /// How to register the redirect URI that an identity broker signs in with.
    var brokersRegistration: String {
        "Add the redirect URI \(Self.brokersRedirectURI) to the registration of \(app), under Mobile and desktop "
            + "applications."
    }

    /// docs/Broker.md#registration
    private static let brokersRedirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    /// The error that the page shows if it is not registered. The command never hears of it, because the service does
    /// not redirect to an address that it does not know.
    var unregisteredHint: String {
        let number = settings?.isB2C == true ? "AADB2C90006" : "AADSTS50011"
        return "If the page says \(number): \(registration)"
    }

    /// The command line that signs in with another value of one of its flags.
    func command(_ change: (inout SignInCommand) -> Void) -> String {
        var command = signIn
        change(&command)
        return command.text
    }

    /// How to get a new password from a B2C tenant: by the policy that is made for it.
    ///
    /// Its name is the tenant's choice. The ones here are those of Microsoft's tutorials "Set up a password reset flow
    /// in Azure Active Directory B2C" and "Tutorial: Create user flows and custom policies".
    var passwordPolicy: String {
        guard let url = settings?.authority?.url else {
            return "Use the tenant's policy for password reset, then sign in again."
        }
        let isCustom = url.lastPathComponent.lowercased().hasPrefix("b2c_1a_")
        let policy = isCustom ? "B2C_1A_PasswordReset" : "B2C_1_passwordreset"
        let authority = url.deletingLastPathComponent().appending(path: policy).absoluteString
        return "Use the tenant's policy for password reset, which is \(policy) unless it was given another name. Then "
            + "sign in again. To use it: \(command { $0.authority = authority })"
    }
}
