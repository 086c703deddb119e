import MSAL

@main struct Hello {
    static func main() async {
        do {
            let application = try makeApplication()
            print("This app is \(application.configuration.clientId).")
        } catch {
            print("It failed: \(error.localizedDescription)")
        }
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
