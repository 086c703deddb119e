// Licensed under the MIT License. See LICENSE.

/// A credential as a chain takes it: `MSALChainedCredential([.environment, .azureCLI, .credential(mine)])`.
public struct MSALChainMember: Sendable, CustomStringConvertible {
    /// The name for logs and errors.
    public let name: String

    private let open: @Sendable (ServerEnvironment) -> ChainLink

    package init(_ name: String, open: @escaping @Sendable (ServerEnvironment) -> ChainLink) {
        self.name = name
        self.open = open
    }

    /// The name.
    public var description: String { name }

    func link(in environment: ServerEnvironment) -> ChainLink { open(environment) }

    /// A credential of the program's own, or one that it made elsewhere: an application, another chain.
    ///
    /// It throws ``MSALTokenError/Kind-swift.struct/credentialUnavailable`` if it is not set up. Then the chain asks the next.
    public static func credential(
        _ credential: any MSALTokenCredential,
        named name: String? = nil
    ) -> MSALChainMember {
        let name = name ?? String(describing: type(of: credential))
        return MSALChainMember(name) { environment in
            // A managed identity is looked for first in any chain, however it got there.
            guard let application = credential as? MSALManagedIdentityApplication else {
                return ChainLink(name, credential: credential)
            }
            let probe = MSALMetadataProbe()
            let searched = ChainedManagedIdentity(application, probe: probe, environment: environment)
            return ChainLink(name, credential: searched.unprobed, searched: searched)
        }
    }

    /// The identity that the variables `AZURE_CLIENT_ID`, `AZURE_TENANT_ID` and their kin describe.
    public static let environment = environment(additionallyAllowedTenants: [])

    static func environment(additionallyAllowedTenants tenants: [String]) -> MSALChainMember {
        MSALChainMember("environment") { environment in
            let credential = MSALEnvironmentCredential(additionallyAllowedTenants: tenants, environment: environment)
            return ChainLink("environment", credential: credential)
        }
    }

    /// The identity of a workload in Kubernetes.
    public static let workloadIdentity = workloadIdentity(additionallyAllowedTenants: [])

    static func workloadIdentity(additionallyAllowedTenants tenants: [String]) -> MSALChainMember {
        MSALChainMember("workloadIdentity") { environment in
            let credential = MSALWorkloadIdentityCredential(
                additionallyAllowedTenants: tenants,
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

    /// The developer who is signed in to a command line, with settings.
    public static func commandLine(
        _ tool: MSALCommandLineTool,
        options: MSALCommandLineOptions = MSALCommandLineOptions()
    ) -> MSALChainMember {
        commandLine(tool, options: options, isOptional: false)
    }

    static func commandLine(
        _ tool: MSALCommandLineTool,
        options: MSALCommandLineOptions,
        isOptional: Bool
    ) -> MSALChainMember {
        let name =
            switch tool.name {
            case .msal: "msalCLI"
            case .az: "azureCLI"
            case .azd: "azureDeveloperCLI"
            }
        return MSALChainMember(name) { environment in
            let credential = MSALCommandLineCredential(tool, options: options, environment: environment)
            return ChainLink(name, credential: credential, isOptional: isOptional)
        }
    }
}
