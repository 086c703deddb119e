// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal kube-token`
struct KubeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kube-token",
        _superCommandName: "msal",
        abstract: "Give kubectl a token for Azure Kubernetes Service.",
        usage: "msal kube-token [options]",
        discussion: """
            An exec plugin of Kubernetes, in the versions v1 and v1beta1 of client.authentication.k8s.io: the one that \
            KUBERNETES_EXEC_INFO asks for, else v1. Nobody is asked for anything.

            The account is that of --account, else the active one, whose name goes to standard error.

            EXAMPLES
              msal login --scope 6dae42f8-4368-4678-94ff-3960e28e3630/.default
              kubectl config set-credentials msal \\
                --exec-api-version=client.authentication.k8s.io/v1 \\
                --exec-command=msal --exec-arg=kube-token
              In the kubeconfig, beside command:  interactiveMode: IfAvailable
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    @Option(
        name: .customLong("server-id"),
        help: ArgumentHelp("The application id of the API server; that of Azure unless set.", valueName: "id")
    )
    var serverID = KubeRequest.serverID

    func run() async throws {
        let request = try KubeRequest(ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"])
        let scope = try KubeRequest.scope(serverID)
        let result = try await HelperToken(client: client, scope: scope, account: account).result()
        let credential = request.credential(PrivateText(result.accessToken), expiresOn: result.expiresOn)
        try Terminal.output.result { (output) throws(OutputError) in try output.deliver(value: credential) }
    }
}
