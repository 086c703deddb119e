// Licensed under the MIT License. See LICENSE.

/// A request for a token of the device itself.
public final class MSALDeviceTokenParameters: MSALTokenParameters {
    /// The tenant of the registration.
    public let tenantId: String?
    /// The resource that accepts device tokens.
    public let resource: String

    /// - Parameters:
    ///   - resource: The resource that accepts device tokens; blank makes the request fail with the detail -42000.
    ///   - scopes: The scopes wanted.
    ///   - tenantId: The tenant of the registration; blank as above.
    public init(resource: String, scopes: [String]?, forTenantId tenantId: String) {
        self.resource = resource
        self.tenantId = tenantId
        super.init(scopes: scopes ?? [])
    }
}

/// A token of the device itself.
public final class MSALDeviceTokenResult: NSObject, Sendable {
    /// The access token.
    public let accessToken: String

    package init(accessToken: String) {
        self.accessToken = accessToken
    }
}
