// Licensed under the MIT License. See LICENSE.

/// The tenants whose tokens an API accepts.
public enum MSALAllowedTenants: Sendable {
    /// The tenant of the authority. If the authority does not name a single tenant, such as `organizations`, use
    /// another case.
    case ofAuthority
    /// Only these tenants, by their ids.
    case list(Set<String>)
    /// Any tenant. Authorization is then entirely up to the application.
    case any
    /// The application decides, for example with its customer database. It receives the tenant's id in lowercase.
    ///
    /// It is called after the signature has been verified. A result is cached for 60 seconds; at most 10,000 results
    /// are cached.
    case decidedBy(@Sendable (String) async -> Bool)
}
