// Licensed under the MIT License. See LICENSE.

/// The application or machine whose token `msal token` gets: an application, a managed identity, the default chain.
struct ServiceChoice: Equatable {
    /// The client ID of an application.
    var client: String?
    var tenant: String?
    /// The name of the variable with the secret. A secret argument would be visible in the process list.
    var clientSecretEnv: String?
    var clientSecretFile: String?
    var certificate: String?
    var certificatePasswordEnv: String?
    var sendsChain = false
    /// The issuer whose assertion is the proof.
    var federated: FederatedIssuerOption?
    /// The id of a managed identity; empty for the system-assigned one.
    var managedIdentity: String?
    var isDefault = false
    /// The client ID of an agent whose blueprint the application is.
    var agent: String?
    /// The name or object ID of the agent's user account.
    var agentUser: String?

    /// Whether the user gave an option that chooses a service's identity. Otherwise a signed-in user is meant.
    var isChosen: Bool { self != ServiceChoice() }
}

/// The issuers of `--federated`.
enum FederatedIssuerOption: String, CaseIterable {
    case github
    case azurePipelines = "azure-pipelines"
    case kubernetes
}

extension ServiceChoice {
    /// The one credential that the options choose.
    enum CredentialKind: Equatable {
        case secretFromVariable(String)
        case secretFromFile(String)
        case certificate(String)
        case federated(FederatedIssuerOption)
        case managedIdentity(String)
        case defaultChain
    }

    /// - Throws: `Failure` with the status `usage`, if the options choose no credential, or several.
    func credentialKind() throws(Failure) -> CredentialKind {
        let credentialKinds: [(name: String, credentialKind: CredentialKind?)] = [
            ("--client-secret-env", clientSecretEnv.map(CredentialKind.secretFromVariable)),
            ("--client-secret-file", clientSecretFile.map(CredentialKind.secretFromFile)),
            ("--certificate", certificate.map(CredentialKind.certificate)),
            ("--federated", federated.map(CredentialKind.federated)),
            ("--managed-identity", managedIdentity.map(CredentialKind.managedIdentity)),
            ("--default", isDefault ? CredentialKind.defaultChain : nil),
        ]
        let chosen = credentialKinds.filter { $0.credentialKind != nil }
        guard chosen.count <= 1 else {
            throw .usage(
                "\(chosen.map(\.name).joined(separator: " and ")) cannot be used together.",
                remedy: "Pass only one of them. See: msal token --help"
            )
        }
        guard agentUser == nil || agent != nil else {
            throw .usage("--user is the user account of an agent.", remedy: "Pass --agent ID, too.")
        }
        if agent != nil, managedIdentity != nil || isDefault {
            throw .usage(
                "--agent needs the application of the agent's blueprint.",
                remedy: "Pass --client ID with its secret, certificate or assertion."
            )
        }
        guard let credentialKind = chosen.first?.credentialKind else {
            throw .usage(
                "No credential is specified for the application.",
                remedy:
                    "Pass --client-secret-env NAME, --client-secret-file FILE, --certificate FILE or --federated "
                    + "ISSUER."
            )
        }
        return credentialKind
    }
}
