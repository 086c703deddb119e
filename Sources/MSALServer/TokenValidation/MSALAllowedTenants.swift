// Licensed under the MIT License. See LICENSE.

/// The tenants whose tokens an API takes.
public enum MSALAllowedTenants: Sendable {
    /// The one tenant that the authority names. An authority that names none, such as `organizations`, needs another case.
    case ofAuthority
    /// Only these tenants are allowed. They are named by their ids.
    case list(Set<String>)
    /// Every tenant on earth. What a caller may do is then decided by the application alone.
    case any
    /// Asks the application, which may look into a database of its customers. It is given the tenant's id in lower case.
    ///
    /// The question is put after the signature was verified. An answer is kept for 60 seconds, and 10,000 answers at most.
    case decidedBy(@Sendable (String) async -> Bool)
}
