// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The flags that choose the identity of an application or of a machine.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "The client ID of an application, to get its own token.",
            discussion: "--client-id is the app that users sign in with.",
            valueName: "id"
        )
    )
    var application: String?

    @Option(help: ArgumentHelp("The application's tenant: its ID or one of its domains.", valueName: "tenant"))
    var tenant: String?

    @Option(help: ArgumentHelp("The variable with the application's secret.", valueName: "name"))
    var clientSecretEnv: String?

    @Option(help: ArgumentHelp("A file with the application's secret.", valueName: "file"), completion: .file())
    var clientSecretFile: String?

    @Option(
        help: ArgumentHelp("The application's certificate and key, in PEM or PKCS#12.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(help: ArgumentHelp("The variable with the password of the certificate's key.", valueName: "name"))
    var certificatePasswordEnv: String?

    @Flag(help: "Send the certificate chain, for subject name and issuer authentication.")
    var sendChain = false

    @Option(
        help: ArgumentHelp(
            "Authenticate with an assertion from github, azure-pipelines or kubernetes.",
            valueName: "issuer"
        )
    )
    var federated: FederatedIssuerOption?

    @Option(
        defaultAsFlag: "",
        parsing: .next,
        help: ArgumentHelp(
            "Use the managed identity; pass a client ID, a resource ID or object:ID for a user-assigned one.",
            valueName: "id"
        )
    )
    var managedIdentity: String?

    @Flag(name: .customLong("default"), help: "Use the first configured identity: environment, machine, msal, az, azd.")
    var isDefault = false

    @Option(
        help: ArgumentHelp("Get the token of an agent whose blueprint the application is.", valueName: "id")
    )
    var agent: String?

    @Option(
        help: ArgumentHelp("With --agent: the name or object ID of the agent's user account.", valueName: "name")
    )
    var user: String?

    /// The application or machine whose token is wanted.
    var choice: ServiceChoice {
        var choice = ServiceChoice()
        choice.client = application
        choice.tenant = tenant
        choice.clientSecretEnv = clientSecretEnv
        choice.clientSecretFile = clientSecretFile
        choice.certificate = certificate
        choice.certificatePasswordEnv = certificatePasswordEnv
        choice.sendsChain = sendChain
        choice.federated = federated
        choice.managedIdentity = managedIdentity
        choice.isDefault = isDefault
        (choice.agent, choice.agentUser) = (agent, user)
        return choice
    }
}

extension FederatedIssuerOption: ExpressibleByArgument {}
