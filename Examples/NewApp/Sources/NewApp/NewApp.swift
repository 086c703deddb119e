// Licensed under the MIT License. See LICENSE.

import MSAL

/// Greets the signed-in user, and signs a user in if necessary.
@main struct NewApp {
    /// The client ID of the app registration.
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
            print("Not signed in: \(error.localizedDescription)")
            exit(1)
        }
    }

    /// A token without the user if possible; otherwise the browser opens.
    static func token(from application: MSALPublicClientApplication) async throws -> MSALResult {
        if let account = try application.allAccounts().first {
            do {
                let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
                return try await application.acquireTokenSilent(with: parameters)
            } catch let error as NSError where error.domain == MSALErrorDomain {
                // The service requires the user again. Any other error is reported.
                guard error.code == MSALError.interactionRequired.rawValue else { throw error }
            }
        }
        return try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: scopes))
    }
}
