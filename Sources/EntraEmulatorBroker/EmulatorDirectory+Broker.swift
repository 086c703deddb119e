// Licensed under the MIT License. See LICENSE.

package import EntraEmulator

extension EmulatorDirectory {
    /// The client ID that programs without their own use with a broker, such as linux-entra-sso and sso-mib. It belongs
    /// to Microsoft Edge.
    package static let brokerClientID = "d7b530a4-7680-4c23-a8bf-c52c121d2e87"

    /// Adds this client with admin consent to Microsoft Graph, unless it is in the directory.
    package mutating func addBrokerClient() {
        guard !applications.contains(where: { $0.clientID.lowercased() == Self.brokerClientID }) else { return }
        var application = Application(
            clientID: Self.brokerClientID,
            displayName: "Microsoft Edge",
            redirectURIs: ["https://login.microsoftonline.com/common/oauth2/nativeclient"]
        )
        application.grantedScopes = ["https://graph.microsoft.com": ["*"]]
        applications.append(application)
    }
}
