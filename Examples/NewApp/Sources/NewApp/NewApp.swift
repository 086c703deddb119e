// Licensed under the MIT License. See LICENSE.

import MSAL

/// Greets the user who is signed in, and signs a user in where nobody is.
@main struct NewApp {
    /// The client id of the app's registration.
    static let clientID = "YOUR-CLIENT-ID"
    /// What the app may do for the user.
    static let scopes = ["User.Read"]

    static func main() async {
        do {
            let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
            let application = try MSALPublicClientApplication(configuration: configuration)
            let result = try await token(from: application)
            print("Hello, \(result.account.username ?? "you"): \(result.scopes.joined(separator: " "))")
        } catch {
            print("Nobody is signed in: \(error.localizedDescription)")
            exit(1)
        }
    }

    /// The kept token, or a new one, without the user as long as that is possible.
    static func token(from application: MSALPublicClientApplication) async throws -> MSALResult {
        if let account = try application.allAccounts().first {
            do {
                let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
                return try await application.acquireTokenSilent(with: parameters)
            } catch let error as NSError where error.domain == MSALErrorDomain {
                // The service wants to see the user again. Any other error is one to report.
                guard error.code == MSALError.interactionRequired.rawValue else { throw error }
            }
        }
        return try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: scopes))
    }
}
