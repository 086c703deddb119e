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
        abstract: "Provide kubectl with a token for Azure Kubernetes Service.",
        usage: "msal kube-token [options]",
        discussion: """
            A Kubernetes exec credential plugin for client.authentication.k8s.io v1 and v1beta1. It uses the version \
            that KUBERNETES_EXEC_INFO requests, or v1. The command never prompts.

            The account is the one in --account, or the active account, whose name is written to standard error.

            EXAMPLES
              msal login --scope 6dae42f8-4368-4678-94ff-3960e28e3630/.default
              kubectl config set-credentials msal \\
                --exec-api-version=client.authentication.k8s.io/v1 \\
                --exec-command=msal --exec-arg=kube-token
              In the kubeconfig, next to command:  interactiveMode: IfAvailable
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    @Option(
        name: .customLong("server-id"),
        help: ArgumentHelp(
            "The API server's application ID; by default that of Azure Kubernetes Service.",
            valueName: "id"
        )
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
