// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The settings of the endpoints that issue tokens for managed identities.
///
/// They listen on loopback only. Like the real hosts, they use plain HTTP, except for Service Fabric, which uses TLS.
public struct ManagedIdentitySettings: Sendable, EmulatorRedactedReflection {
    /// The port of the plain endpoints; 0 selects a free one. MSAL for Python expects Cloud Shell at 50342.
    public var port = 0
    /// The TLS port of Service Fabric; 0 selects a free one.
    public var securePort = 0
    /// Whether the plain endpoints also listen at 169.254.169.254, the address on Azure virtual machines. This machine
    /// must have the address.
    package var listensAtMetadataAddress = false
    /// The value of `IDENTITY_HEADER` and `MSI_SECRET`. It only gives access to test tokens.
    public var header = "emulator-identity-header"
    /// The folder for the key files of Azure Arc's challenges. Clients only read `/var/opt/azcmagent/tokens`. `nil`
    /// uses a temporary folder, which is sufficient for clients with a configurable folder.
    public var arcKeyFolder: URL?
    /// The lifetime of a token. On the real hosts, it is 24 hours.
    public var tokenLifetime: Duration = .seconds(86_400)

    /// Creates settings with the default values.
    public init() {}
}
