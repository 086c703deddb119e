// Licensed under the MIT License. See LICENSE.

package import EntraEmulator

extension EmulatorDirectory {
    /// Programs without a client id of their own ask a broker with this one: linux-entra-sso and sso-mib. It is that of
    /// Microsoft Edge.
    package static let brokerClientID = "d7b530a4-7680-4c23-a8bf-c52c121d2e87"

    /// Adds this client with the consent of everybody to Microsoft Graph, unless the directory has it.
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
