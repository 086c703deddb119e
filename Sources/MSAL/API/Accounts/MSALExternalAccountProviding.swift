// Licensed under the MIT License. See LICENSE.

/// An app's own store of accounts, kept in sync with the library's.
///
/// Errors of its members are logged and never reach the caller of the library. The members are called on any thread.
/// Calls for one request are made one after another; two requests may make calls concurrently.
public protocol MSALExternalAccountProviding: NSObjectProtocol {
    /// Called after a token response with its account, which may be new or changed.
    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws

    /// Called when an account is removed from this client. With `wipeAccount`, remove it for all clients.
    func remove(_ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws

    /// The removal as MSAL 1.x declares it. The library calls only the variant with `wipeAccount`.
    func remove(_ account: any MSALAccountProtocol, tenantProfiles: [MSALTenantProfile]?) throws

    /// Returns the app's accounts that match `parameters`; they are added to the results of queries.
    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol]
}

extension MSALExternalAccountProviding {
    /// Calls the current variant of the removal, with `wipeAccount` being `false`.
    public func remove(_ account: any MSALAccountProtocol, tenantProfiles: [MSALTenantProfile]?) throws {
        try remove(account, wipeAccount: false, tenantProfiles: tenantProfiles)
    }
}
