// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The flags that choose the identity of an application or of a machine.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "An application, by its client id, for a token of its own.",
            discussion: "--client-id names the app that users sign in with.",
            valueName: "id"
        )
    )
    var application: String?

    @Option(help: ArgumentHelp("The application's tenant: its id or one of its domains.", valueName: "tenant"))
    var tenant: String?

    @Option(help: ArgumentHelp("The variable that has the application's secret.", valueName: "name"))
    var clientSecretEnv: String?

    @Option(
        help: ArgumentHelp("A file that has the application's secret.", valueName: "file"),
        completion: .file()
    )
    var clientSecretFile: String?

    @Option(
        help: ArgumentHelp("The application's certificate and key, in PEM or PKCS#12.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(help: ArgumentHelp("The variable that has the password of the certificate's key.", valueName: "name"))
    var certificatePasswordEnv: String?

    @Flag(help: "Send the certificate's chain, for a registration by subject name and issuer.")
    var sendChain = false

    @Option(
        help: ArgumentHelp(
            "The application, by an assertion of github, azure-pipelines or kubernetes.",
            valueName: "issuer"
        )
    )
    var federated: FederatedIssuerOption?

    @Option(
        defaultAsFlag: "",
        parsing: .next,
        help: ArgumentHelp(
            "The machine's identity; another one by its client id, its resource id, or object:ID.",
            valueName: "id"
        )
    )
    var managedIdentity: String?

    @Flag(name: .customLong("default"), help: "The first identity that is set up: environment, machine, msal, az, azd.")
    var isDefault = false

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
        return choice
    }
}

extension FederatedIssuerOption: ExpressibleByArgument {}
