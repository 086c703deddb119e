// Licensed under the MIT License. See LICENSE.

/// Settings of a credential that asks a command line.
@available(
    *,
    deprecated,
    message: "Give tenant and subscription to the credential, and the rest in MSALCredentialOptions."
)
public struct MSALCommandLineOptions: Sendable, Hashable {
    /// The tenant to ask: its id or one of its domains. `nil` takes that of the developer's sign-in.
    public var tenant: String?

    /// The name or the id of the subscription whose account is asked. Only the Azure CLI knows subscriptions.
    public var subscription: String?

    /// Further tenants that calls may name. `*` stands for any.
    public var additionallyAllowedTenants: [String] = []

    /// The time that the command line may take.
    public var timeout: Duration = .seconds(30)

    /// Settings that ask for nothing special.
    public init() {}

    /// The same settings in the form that every credential takes.
    var common: MSALCredentialOptions {
        var options = MSALCredentialOptions()
        options.additionallyAllowedTenants = additionallyAllowedTenants
        options.requestTimeout = timeout
        return options
    }
}
