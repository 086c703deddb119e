// Licensed under the MIT License. See LICENSE.

/// The device as a broker knows it. This version of the library uses no broker, so that nothing is known.
public final class MSALDeviceInformation: NSObject, Sendable {
    /// How the device is shared; the default mode without a broker.
    public var deviceMode: MSALDeviceMode { .default }
    /// The way of signing in that the administrator prefers; none without a broker.
    public var configuredPreferredAuthMethod: MSALPreferredAuthMethod { .none }
    /// The registration of the device under the keys `MSAL_PRIMARY_REGISTRATION_…`; empty without a broker.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }

    /// What is known without a broker.
    public override init() {}
}

/// How a device is shared.
public enum MSALDeviceMode: UInt, Sendable {
    /// No special mode.
    case `default` = 0
    /// Set up by an administrator for several people.
    case shared = 1
}

/// The registration of this device in one tenant. Without a broker, as in this version, it is empty.
public final class MSALWPJMetaData: NSObject, Sendable {
    /// The registration under the keys `MSAL_PRIMARY_REGISTRATION_…`.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }

    /// The registration of a device that has none.
    public override init() {}
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Key of `extraDeviceInformation`: the user of the registration.
public let MSAL_PRIMARY_REGISTRATION_UPN = "primary_registration_metadata_upn"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Key of `extraDeviceInformation`: the device's id.
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID = "primary_registration_metadata_device_id"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Key of `extraDeviceInformation`: the tenant's id.
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID = "primary_registration_metadata_tenant_id"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Key of `extraDeviceInformation`: the host of the cloud.
public let MSAL_PRIMARY_REGISTRATION_CLOUD = "primary_registration_metadata_cloud_host"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Key of `extraDeviceInformation`: the thumbprint of the device's certificate.
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT =
    "primary_registration_metadata_certificate_thumbprint"
