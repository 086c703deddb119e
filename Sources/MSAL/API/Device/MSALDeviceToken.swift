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

/// A token of the device itself. It never changes and may be used from any thread.
public final class MSALDeviceTokenResult: NSObject, Sendable, ClosedMirror {
    /// The access token.
    public let accessToken: String
    /// The service's details of the device.
    public let deviceInformation: String?
    /// The end of the access token.
    public let expiresOn: Date?
    /// The scopes granted.
    public let scopes: [String]
    /// The issuer of the token.
    public let authority: MSALAuthority?

    /// A result with these values; for apps that stand in for the library in their tests.
    public init(
        accessToken: String,
        deviceInformation: String?,
        expiresOn: Date?,
        scopes: [String],
        authority: MSALAuthority?
    ) {
        self.accessToken = accessToken
        self.deviceInformation = deviceInformation
        self.expiresOn = expiresOn
        self.scopes = scopes
        self.authority = authority
    }

    /// Shows scopes and end, never the token.
    public override var description: String {
        "MSALDeviceTokenResult(scopes: \(scopes.joined(separator: " ")))"
    }
}
