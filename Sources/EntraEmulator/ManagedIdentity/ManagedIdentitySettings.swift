// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The settings of the endpoints that hand out tokens of managed identities.
///
/// They listen on loopback only. They use plain HTTP, as the real hosts do; Service Fabric uses TLS.
public struct ManagedIdentitySettings: Sendable, ClosedMirror {
    /// The port of the plain endpoints; 0 takes a free one. MSAL for Python looks for the Cloud Shell at 50342.
    public var port = 0
    /// The TLS port of Service Fabric; 0 takes a free one.
    public var securePort = 0
    /// Whether the plain endpoints listen at 169.254.169.254, too, where virtual machines of Azure find them. The address
    /// must be one of this machine.
    package var listensAtMetadataAddress = false
    /// The value of `IDENTITY_HEADER` and `MSI_SECRET`. It gives access to test tokens only.
    public var header = "emulator-identity-header"
    /// Where the key files of Azure Arc's challenges are put. Clients read `/var/opt/azcmagent/tokens` and no other
    /// folder. `nil` takes a temporary folder. This is enough for clients whose folder can be set.
    public var arcKeyFolder: URL?
    /// The time that a token lives. The hosts give 24 hours.
    public var tokenLifetime: Duration = .seconds(86_400)

    /// The defaults.
    public init() {}
}
