// Licensed under the MIT License. See LICENSE.

public import Foundation

// The settings of 0.9, before every credential took the same ones.

extension MSALEnvironmentCredential {
    /// Creates a credential for the identity that the environment variables describe.
    @available(*, deprecated, message: "Use init(options:).")
    public convenience init(additionallyAllowedTenants: [String]) {
        self.init(options: .allowing(additionallyAllowedTenants))
    }
}

extension MSALWorkloadIdentityCredential {
    /// Creates a credential for the identity that the environment variables describe.
    @available(*, deprecated, message: "Use init(clientId:tenant:tokenFile:options:).")
    public convenience init(additionallyAllowedTenants: [String]) {
        self.init(options: .allowing(additionallyAllowedTenants))
    }
}

extension MSALFederatedCredential {
    /// Creates a credential for an application whose assertions come from `source`.
    @available(*, deprecated, message: "Use init(_:clientId:tenant:options:).")
    public convenience init(
        _ source: MSALFederatedSource,
        clientId: String? = nil,
        tenant: String? = nil,
        additionallyAllowedTenants: [String],
        caFile: URL? = nil
    ) {
        self.init(
            source,
            clientId: clientId,
            tenant: tenant,
            options: .allowing(additionallyAllowedTenants, caFile: caFile)
        )
    }

    /// Creates a credential for an application whose assertions come from `source`.
    @available(*, deprecated, message: "Use init(_:clientId:tenant:options:).")
    public convenience init(
        _ source: MSALFederatedSource,
        clientId: String? = nil,
        tenant: String? = nil,
        caFile: URL?
    ) {
        self.init(source, clientId: clientId, tenant: tenant, options: .allowing([], caFile: caFile))
    }
}

extension MSALManagedIdentityApplication {
    /// Creates a credential for an application with one of the machine's identities.
    @available(*, deprecated, message: "Use init(identity:options:).")
    public convenience init(
        identity: MSALManagedIdentityId = .systemAssigned,
        capabilities: [String],
        onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)? = nil
    ) {
        var options = MSALCredentialOptions()
        options.capabilities = capabilities
        options.onBackgroundFailure = onBackgroundFailure
        self.init(identity: identity, options: options)
    }

    /// Creates a credential for an application with one of the machine's identities.
    @available(*, deprecated, message: "Use init(identity:options:).")
    public convenience init(
        identity: MSALManagedIdentityId = .systemAssigned,
        onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)?
    ) {
        self.init(identity: identity, capabilities: [], onBackgroundFailure: onBackgroundFailure)
    }
}

extension MSALCommandLineCredential {
    /// Creates a credential that uses `tool`.
    @available(*, deprecated, message: "Use init(_:tenant:subscription:options:).")
    public convenience init(_ tool: MSALCommandLineTool, options: MSALCommandLineOptions) {
        self.init(tool, tenant: options.tenant, subscription: options.subscription, options: options.common)
    }
}

extension MSALChainMember {
    /// The developer who is signed in to a command-line tool.
    @available(*, deprecated, message: "Use commandLine(_:tenant:subscription:).")
    public static func commandLine(_ tool: MSALCommandLineTool, options: MSALCommandLineOptions) -> MSALChainMember {
        commandLine(tool, tenant: options.tenant, subscription: options.subscription) {
            $0.additionallyAllowedTenants = options.additionallyAllowedTenants
            $0.requestTimeout = options.timeout
        }
    }
}

extension MSALDefaultCredentialOptions {
    /// Additional tenants that calls may name.
    @available(*, deprecated, message: "Use credentials.additionallyAllowedTenants.")
    public var additionallyAllowedTenants: [String] {
        get { credentials.additionallyAllowedTenants }
        set { credentials.additionallyAllowedTenants = newValue }
    }

    /// A PEM file with additional certificate authorities to trust.
    @available(*, deprecated, message: "Use credentials.caFile.")
    public var caFile: URL? {
        get { credentials.caFile }
        set { credentials.caFile = newValue }
    }
}

extension MSALCredentialOptions {
    fileprivate static func allowing(_ tenants: [String], caFile: URL? = nil) -> MSALCredentialOptions {
        var options = MSALCredentialOptions()
        options.additionallyAllowedTenants = tenants
        options.caFile = caFile
        return options
    }
}

/// Settings of a credential that asks a command line.
@available(
    *,
    deprecated,
    message: "Give tenant and subscription to the credential, and the rest in MSALCredentialOptions."
)
public struct MSALCommandLineOptions: Sendable, Hashable {
    /// The tenant ID or one of the tenant's domains. `nil` selects the tenant of the developer's sign-in.
    public var tenant: String?

    /// The name or id of the subscription whose account is used; only for the Azure CLI.
    public var subscription: String?

    /// Additional tenants that calls may name. `*` allows any tenant.
    public var additionallyAllowedTenants: [String] = []

    /// The maximum run time of the command-line tool.
    public var timeout: Duration = .seconds(30)

    /// Creates the default settings.
    public init() {}

    /// The same settings in the form that every credential takes.
    var common: MSALCredentialOptions {
        var options = MSALCredentialOptions()
        options.additionallyAllowedTenants = additionallyAllowedTenants
        options.requestTimeout = timeout
        return options
    }
}
