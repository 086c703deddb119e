// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The facts that a remedy may mention.
struct RemedyContext {
    /// The settings of the failed command, if they are known.
    var settings: Settings?
    var signIn = SignInCommand()
    /// Whether the command signs in without a browser (native authentication).
    var isNative = false
    /// Whether the token is for an application, so that no user signs in.
    var isService = false
    /// Whether the option `--retry` would repeat a change that was not repeated.
    var offersRetry = false

    /// The advice to sign in again.
    var signInAgain: String {
        signIn.isExact ? "Sign in again: \(signIn.text)" : "Sign in again, with the same scopes: \(signIn.text)"
    }

    /// The app with its client ID, by which the user finds its registration.
    var app: String { settings.map { "the app \($0.clientID)" } ?? "the app" }

    /// The redirect URI to register. It has no port, because the service ignores the port here (RFC 8252 §7.3).
    var redirectURI: String { settings?.redirectURI ?? RedirectChoice.defaultURI }

    /// The advice how to register it.
    var registration: String {
        "Add the redirect URI \(redirectURI) to the registration of \(app), under Mobile and desktop applications."
    }

    /// The advice how to register the redirect URI of identity brokers.
    var brokersRegistration: String {
        "Add the redirect URI \(Self.brokersRedirectURI) to the registration of \(app), under Mobile and desktop "
            + "applications."
    }

    /// docs/Broker.md#registration
    private static let brokersRedirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    /// The error that the browser shows if the redirect URI is not registered. The command never gets that error,
    /// because the service does not redirect to an unknown address.
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

    /// The advice how to get a new password from a B2C tenant: sign in with the tenant's policy for it.
    ///
    /// Each tenant chooses the name of that policy. The names here are those of Microsoft's tutorials "Set up a
    /// password reset flow in Azure Active Directory B2C" and "Tutorial: Create user flows and custom policies".
    var passwordPolicy: String {
        guard let url = settings?.authority?.url else {
            return "Use the tenant's password reset policy, then sign in again."
        }
        let isCustom = url.lastPathComponent.lowercased().hasPrefix("b2c_1a_")
        let policy = isCustom ? "B2C_1A_PasswordReset" : "B2C_1_passwordreset"
        let authority = url.deletingLastPathComponent().appending(path: policy).absoluteString
        return "Use the tenant's policy for password reset, which is \(policy) unless it was given another name. Then "
            + "sign in again. To use it: \(command { $0.authority = authority })"
    }
}
