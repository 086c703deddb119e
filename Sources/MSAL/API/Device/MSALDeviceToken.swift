// Licensed under the MIT License. See LICENSE.

/// A request for a device token.
public final class MSALDeviceTokenParameters: MSALTokenParameters {
    /// The tenant of the registration.
    public let tenantId: String?
    /// The resource that accepts device tokens.
    public let resource: String

    /// - Parameters:
    ///   - resource: The resource that accepts device tokens; if it is blank, the request fails with the detail -42000.
    ///   - scopes: The requested scopes.
    ///   - tenantId: The tenant of the registration; must not be blank either.
    public init(resource: String, scopes: [String]?, forTenantId tenantId: String) {
        self.resource = resource
        self.tenantId = tenantId
        super.init(scopes: scopes ?? [])
    }
}

/// A device token. It is immutable and may be used from any thread.
public final class MSALDeviceTokenResult: NSObject, Sendable, RedactedReflection {
    /// The access token.
    public let accessToken: String
    /// The service's details of the device.
    public let deviceInformation: String?
    /// The expiry of the access token.
    public let expiresOn: Date?
    /// The granted scopes.
    public let scopes: [String]
    /// The issuer of the token.
    public let authority: MSALAuthority?

    /// Creates a result from values, for apps that replace the library in their tests.
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

    /// Contains the scopes, never the token.
    public override var description: String { "MSALDeviceTokenResult(scopes: \(scopes.joined(separator: " ")))" }
}
