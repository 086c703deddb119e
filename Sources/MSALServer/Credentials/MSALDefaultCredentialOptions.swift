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

    /// The credentials that are left out, whatever `AZURE_TOKEN_CREDENTIALS` says.
    public var exclude: Set<Member> = []

    /// Whether the variable `AZURE_TOKEN_CREDENTIALS` must be set. It makes a deployment name its credentials.
    public var requireVariable = false

    /// The managed identity. `nil` takes that of `AZURE_CLIENT_ID`, or the system-assigned one.
    public var managedIdentity: MSALManagedIdentityId?

    /// The way in which a chain finds out whether there is a metadata service.
    public var probe = MSALMetadataProbe()

    /// The settings of the credentials of the chain.
    public var credentials = MSALCredentialOptions()

    /// The tenant that the command lines are asked for. `nil` takes that of the developer's sign-in.
    public var developerTenant: String?

    /// The subscription of the Azure CLI whose account is asked.
    public var subscription: String?

    /// The time that a command line may take, in place of ``MSALCredentialOptions/requestTimeout``.
    public var commandLineTimeout: Duration = .seconds(30)

    /// A credential that asks the user, as the last one. This library opens no browser, so the program brings its own.
    public var interactive: (any MSALTokenCredential)?

    /// Settings that ask for nothing special.
    public init() {}
}
