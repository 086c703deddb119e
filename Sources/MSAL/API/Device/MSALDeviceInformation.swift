// Licensed under the MIT License. See LICENSE.

/// The device as the identity broker of this machine describes it. It is immutable.
///
/// The known brokers do not report the device's mode: it is the default mode then, and the registration is that of the
/// broker's first account.
public final class MSALDeviceInformation: NSObject, Sendable {
    private let device: DeviceSnapshot

    /// The mode in which the device is shared. It is the default mode if there is no broker, or if the broker does not
    /// report it.
    public var deviceMode: MSALDeviceMode { device.isShared ? .shared : .default }
    /// The sign-in method that the administrator prefers; none without a broker, or if it does not report one.
    public var configuredPreferredAuthMethod: MSALPreferredAuthMethod { device.prefersQRPIN ? .QRPIN : .none }
    /// Whether the device has Apple's extension for single sign-on: always `false`. For a broker, see
    /// ``MSALPublicClientApplication/isCompatibleAADBrokerAvailable``.
    public var hasAADSSOExtension: Bool { false }
    /// The registration of the device: strings under the keys `MSAL_PRIMARY_REGISTRATION_…`, as far as they are known.
    public var extraDeviceInformation: [AnyHashable: Any] { device.registration }

    /// Creates an object with the information that is known without a broker.
    public override init() { device = DeviceSnapshot() }

    package init(_ device: DeviceSnapshot) { self.device = device }
}

/// The mode in which a device is shared.
public enum MSALDeviceMode: UInt, Sendable {
    /// The device has no special mode.
    case `default` = 0
    /// An administrator has set up the device for several people.
    case shared = 1
}

/// The registration of this device in one tenant; empty if there is none. It is immutable.
public final class MSALWPJMetaData: NSObject, Sendable {
    private let device: DeviceSnapshot

    /// The registration: strings under the keys `MSAL_PRIMARY_REGISTRATION_…`, as far as they are known.
    public var extraDeviceInformation: [AnyHashable: Any] { device.registration }

    /// Creates an empty registration, for a device that is not registered.
    public override init() { device = DeviceSnapshot() }

    init(_ device: DeviceSnapshot) { self.device = device }
}

extension DeviceSnapshot {
    /// The registration as key-value pairs.
    fileprivate var registration: [AnyHashable: Any] {
        let pairs = [
            MSAL_PRIMARY_REGISTRATION_UPN: username,
            MSAL_PRIMARY_REGISTRATION_DEVICE_ID: deviceID,
            MSAL_PRIMARY_REGISTRATION_TENANT_ID: tenantID,
            MSAL_PRIMARY_REGISTRATION_CLOUD: cloud,
            MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT: certificateThumbprint,
        ]
        return pairs.compactMapValues(\.self)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key in `extraDeviceInformation`: the user of the registration.
public let MSAL_PRIMARY_REGISTRATION_UPN = "primary_registration_metadata_upn"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key in `extraDeviceInformation`: the device's ID.
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID = "primary_registration_metadata_device_id"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key in `extraDeviceInformation`: the tenant's ID.
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID = "primary_registration_metadata_tenant_id"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key in `extraDeviceInformation`: the host of the cloud.
public let MSAL_PRIMARY_REGISTRATION_CLOUD = "primary_registration_metadata_cloud_host"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A key in `extraDeviceInformation`: the thumbprint of the device's certificate.
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT =
    "primary_registration_metadata_certificate_thumbprint"
