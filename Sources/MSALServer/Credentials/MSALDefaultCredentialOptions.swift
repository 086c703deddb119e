// Licensed under the MIT License. See LICENSE.

/// Settings of ``MSALDefaultCredential``.
public struct MSALDefaultCredentialOptions: Sendable {
    /// A credential of the default chain.
    public enum Member: String, Sendable, CaseIterable {
        /// An application that variables describe.
        case environment
        /// A workload in Kubernetes.
        case workloadIdentity
        /// The identity of the machine.
        case managedIdentity
        /// The developer who is signed in to the `msal` command.
        case msalCLI
        /// The developer who is signed in to the Azure CLI.
        case azureCLI
        /// The developer who is signed in to the Azure Developer CLI.
        case azureDeveloperCLI
    }

    /// The credentials to leave out, regardless of `AZURE_TOKEN_CREDENTIALS`.
    public var exclude: Set<Member> = []

    /// Whether the environment variable `AZURE_TOKEN_CREDENTIALS` must be set, so that each deployment has to name its
    /// credentials.
    public var requireVariable = false

    /// The managed identity. `nil` selects the identity that `AZURE_CLIENT_ID` names, or the system-assigned one.
    public var managedIdentity: MSALManagedIdentityId?

    /// How the chain detects a metadata service.
    public var probe = MSALMetadataProbe()

    /// The settings of the credentials of the chain.
    public var credentials = MSALCredentialOptions()

    /// The tenant for the command-line tools. `nil` selects the tenant of the developer's sign-in.
    public var developerTenant: String?

    /// The Azure CLI subscription whose account is used.
    public var subscription: String?

    /// The maximum run time of a command-line tool, instead of ``MSALCredentialOptions/requestTimeout``.
    public var commandLineTimeout: Duration = .seconds(30)

    /// A final credential that prompts the user. This library does not open a browser, so the program provides it.
    public var interactive: (any MSALTokenCredential)?

    /// Creates the default settings.
    public init() {}
}

/// How a chain detects a metadata service before it requests a token for a managed identity there.
public struct MSALMetadataProbe: Sendable, Hashable {
    /// The time limit for the service's response. In some clusters, one second is too short.
    public var timeout: Duration = .seconds(1)

    /// Whether to skip the probe on a machine whose asset tag is readable and is not Azure's. Off by default, because
    /// the asset tags of some types of virtual machines are unknown.
    public var readsAssetTag = false

    /// Creates a probe that waits for one second and does not read the asset tag.
    public init() {}
}
