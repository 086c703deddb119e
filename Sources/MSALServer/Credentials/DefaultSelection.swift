// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The credentials of the default chain (docs/reference/Services.md#default-chain).
struct DefaultSelection {
    private typealias Member = MSALDefaultCredentialOptions.Member

    private static let variable = "AZURE_TOKEN_CREDENTIALS"

    private let chosen: [Member]
    /// Whether the variable names one credential. It is then asked without a probe.
    private let isByName: Bool

    /// - Throws: `.configuration`, which names the variable.
    init(_ options: MSALDefaultCredentialOptions, environment: ServerEnvironment) throws(MSALTokenError) {
        let value = environment.variable(Self.variable)?.trimmed ?? ""
        guard !value.isEmpty || !options.requireVariable else {
            throw MSALTokenError(
                .configuration,
                message: "The variable \(Self.variable) is not set, but the program requires it. \(Self.values)"
            )
        }
        let named = value.isEmpty ? Member.allCases : try Self.members(named: value)
        isByName = !value.isEmpty && named.count == 1
        chosen = named.filter { !options.exclude.contains($0) }
        guard !chosen.isEmpty || options.interactive != nil else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The program excludes every credential that \(Self.variable) names (\(value)). Change either of them."
            )
        }
    }

    private static func members(named value: String) throws(MSALTokenError) -> [Member] {
        switch value.lowercased() {
        case "prod": return [.environment, .workloadIdentity, .managedIdentity]
        case "dev": return [.msalCLI, .azureCLI, .azureDeveloperCLI]
        case "environmentcredential": return [.environment]
        case "workloadidentitycredential": return [.workloadIdentity]
        case "managedidentitycredential": return [.managedIdentity]
        case "msalclicredential": return [.msalCLI]
        case "azureclicredential": return [.azureCLI]
        case "azuredeveloperclicredential": return [.azureDeveloperCLI]
        default: break
        }
        // Names with this end are credentials of other libraries.
        let isOther = value.lowercased().hasSuffix("credential")
        throw MSALTokenError(
            .configuration,
            message:
                "\(variable) has the value \(value), which is \(isOther ? "not available here" : "none of its values"). "
                + values
        )
    }

    private static let values = """
        Its values: prod, dev, EnvironmentCredential, WorkloadIdentityCredential, ManagedIdentityCredential, \
        MsalCliCredential, AzureCliCredential, AzureDeveloperCliCredential.
        """

    /// The credentials themselves.
    func members(of options: MSALDefaultCredentialOptions, environment: ServerEnvironment) -> [MSALChainMember] {
        let last = options.interactive.map { [MSALChainMember.credential($0, named: "interactive")] } ?? []
        return chosen.map { member($0, of: options, environment: environment) } + last
    }

    private func member(
        _ member: Member,
        of options: MSALDefaultCredentialOptions,
        environment: ServerEnvironment
    ) -> MSALChainMember {
        switch member {
        case .environment: return .environment
        case .workloadIdentity: return .workloadIdentity
        case .managedIdentity:
            let variable = "AZURE_CLIENT_ID"
            let named = options.managedIdentity == nil ? environment.variable(variable) : nil
            return .managedIdentity(
                options.managedIdentity ?? named.map(MSALManagedIdentityId.clientId) ?? .systemAssigned,
                namedBy: named == nil ? nil : variable,
                probe: isByName ? nil : options.probe
            )
        case .msalCLI: return commandLine(.msal, of: options)
        case .azureCLI: return commandLine(.azureCLI, of: options)
        case .azureDeveloperCLI: return commandLine(.azureDeveloperCLI, of: options)
        }
    }

    private func commandLine(_ tool: MSALCommandLineTool, of options: MSALDefaultCredentialOptions) -> MSALChainMember {
        let limit = options.commandLineTimeout
        return .commandLine(
            tool,
            tenant: options.developerTenant,
            subscription: options.subscription,
            // If a developer's command line fails, the chain goes on, unless the variable names this command line
            // alone.
            isOptional: !isByName
        ) {
            $0.requestTimeout = limit
        }
    }
}
