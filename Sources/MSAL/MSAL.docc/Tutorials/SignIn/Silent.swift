import MSAL

@main struct Hello {
    static let scopes = ["User.Read"]

    static func main() async {
        do {
            let application = try makeApplication()
            let result = try await token(of: application)
            print("Hello, \(result.account.username ?? "you"). The token came from: \(result.source)")
        } catch {
            print("It failed: \(error.localizedDescription)")
        }
    }

    /// The token of the account that is signed in. Without one, or if the service asks for the user, a sign-in.
    static func token(of application: MSALPublicClientApplication) async throws -> MSALResult {
        if let account = try application.allAccounts().first {
            do {
                let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
                return try await application.acquireTokenSilent(with: parameters)
            } catch let error as NSError
                where error.domain == MSALErrorDomain && error.code == MSALError.interactionRequired.rawValue
            {
                print("The service asks for you.")
            }
        }
        return try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: scopes))
    }

    /// The app's registration, and the service that knows it.
    static func makeApplication() throws -> MSALPublicClientApplication {
        let environment = ProcessInfo.processInfo.environment
        let clientID = environment["MSAL_CLIENT_ID"] ?? "YOUR-CLIENT-ID"
        let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
        if let text = environment["MSAL_AUTHORITY"], let url = URL(string: text) {
            configuration.authority = try MSALAADAuthority(url: url)
        }
        if let path = environment["MSAL_CA_FILE"] { configuration.caFile = URL(filePath: path) }
        return try MSALPublicClientApplication(configuration: configuration)
    }
}
