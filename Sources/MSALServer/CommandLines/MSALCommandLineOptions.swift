// Licensed under the MIT License. See LICENSE.

/// Settings of a credential that asks a command line.
@available(
    *,
    deprecated,
    message: "Give tenant and subscription to the credential, and the rest in MSALCredentialOptions."
)
public struct MSALCommandLineOptions: Sendable, Hashable {
    /// The tenant id or one of the tenant's domains. `nil` selects the tenant of the developer's sign-in.
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
