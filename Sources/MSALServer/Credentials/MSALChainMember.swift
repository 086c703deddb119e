// Licensed under the MIT License. See LICENSE.

/// A member of a credential chain, as in `MSALChainedCredential([.environment, .azureCLI, .credential(mine)])`.
public struct MSALChainMember: Sendable, CustomStringConvertible {
    /// The name in logs and errors.
    public let name: String

    private let open: @Sendable (ServerEnvironment, MSALCredentialOptions) -> ChainLink

    package init(_ name: String, open: @escaping @Sendable (ServerEnvironment, MSALCredentialOptions) -> ChainLink) {
        self.name = name
        self.open = open
    }

    /// The name.
    public var description: String { name }

    func link(in environment: ServerEnvironment, options: MSALCredentialOptions) -> ChainLink {
        open(environment, options)
    }

    /// Any other credential: one that the program implements or has created, such as an application or another chain.
    ///
    /// If the credential is not set up, it throws ``MSALTokenError/Kind-swift.struct/credentialUnavailable``, and the
    /// chain tries the next one.
    public static func credential(_ credential: any MSALTokenCredential, named name: String? = nil) -> MSALChainMember {
        let name = name ?? String(describing: type(of: credential))
        return MSALChainMember(name) { environment, _ in
            // In a chain, a managed identity is always probed first, also one that the program made.
            guard let application = credential as? MSALManagedIdentityApplication else {
                return ChainLink(name, credential: credential)
            }
            let probe = MSALMetadataProbe()
            let searched = ChainedManagedIdentity(application, probe: probe, environment: environment)
            return ChainLink(name, credential: searched.unprobed, searched: searched)
        }
    }

    /// The identity that `AZURE_CLIENT_ID`, `AZURE_TENANT_ID`, and related environment variables describe.
    public static let environment = MSALChainMember("environment") { environment, options in
        ChainLink("environment", credential: MSALEnvironmentCredential(options: options, environment: environment))
    }

    /// The workload identity in Kubernetes that the environment variables describe.
    public static let workloadIdentity = workloadIdentity()

    /// A workload identity in Kubernetes. Values that are `nil` come from the environment variables, as with
    /// ``MSALWorkloadIdentityCredential``.
    public static func workloadIdentity(
        clientId: String? = nil,
        tenant: String? = nil,
        tokenFile: String? = nil
    ) -> MSALChainMember {
        MSALChainMember("workloadIdentity") { environment, options in
            let credential = MSALWorkloadIdentityCredential(
                clientId: clientId,
                tenant: tenant,
                tokenFile: tokenFile,
                options: options,
                environment: environment
            )
            return ChainLink("workloadIdentity", credential: credential)
        }
    }

    /// The developer who is signed in to the `msal` command.
    public static let msalCLI = commandLine(.msal)
    /// The developer who is signed in to the Azure CLI.
    public static let azureCLI = commandLine(.azureCLI)
    /// The developer who is signed in to the Azure Developer CLI.
    public static let azureDeveloperCLI = commandLine(.azureDeveloperCLI)

    /// The developer who is signed in to a command-line tool, in a tenant or with a subscription of the Azure CLI.
    public static func commandLine(
        _ tool: MSALCommandLineTool,
        tenant: String? = nil,
        subscription: String? = nil
    ) -> MSALChainMember {
        commandLine(tool, tenant: tenant, subscription: subscription) { _ in }
    }

    /// The same with changes to the chain's settings. An optional member never stops a chain.
    static func commandLine(
        _ tool: MSALCommandLineTool,
        tenant: String?,
        subscription: String?,
        isOptional: Bool = false,
        change: @escaping @Sendable (inout MSALCredentialOptions) -> Void
    ) -> MSALChainMember {
        let name =
            switch tool.name {
            case .msal: "msalCLI"
            case .az: "azureCLI"
            case .azd: "azureDeveloperCLI"
            }
        return MSALChainMember(name) { environment, options in
            var options = options
            change(&options)
            let credential = MSALCommandLineCredential(
                tool,
                tenant: tenant,
                subscription: subscription,
                options: options,
                environment: environment
            )
            return ChainLink(name, credential: credential, isOptional: isOptional)
        }
    }
}
