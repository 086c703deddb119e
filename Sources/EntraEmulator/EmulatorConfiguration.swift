// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The settings of an emulator. The defaults give the directory of the seed, in memory, on a free port.
public struct EmulatorConfiguration: Sendable {
    /// How much is logged, from everything to the worst only.
    public enum LogLevel: String, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The TLS port on 127.0.0.1 and, where available, ::1; 0 takes a free one.
    public var port: Int = 0
    /// The port of the control API on loopback; `nil` opens none, 0 takes a free one.
    public var controlPort: Int?
    /// The tenants, users, applications and APIs of the start.
    public var directory = EmulatorDirectory.seed
    /// Where the certificate authority and the signing key are kept; made on the first start.
    /// `nil` means `$XDG_STATE_HOME/entra-emulator`, else `~/.local/state/entra-emulator`.
    public var stateDirectory: URL?
    /// Keeps people, consents, sessions and refresh tokens in this folder; `nil` keeps them in memory.
    public var dataDirectory: URL?
    /// Host names to add to the server certificate.
    public var additionalHosts: [String] = []
    /// Whether the second use of a refresh token ends the whole sign-in; `nil` does so in External ID tenants only.
    public var strictRotation: Bool?
    /// How long access and id tokens live; the service uses 60 to 90 minutes.
    public var accessTokenLifetime: Duration = .seconds(3599)
    /// How long a refresh token lives; those of single-page applications always live 24 hours.
    public var refreshTokenLifetime: Duration = .seconds(90 * 86_400)
    /// How long an authorization code may be redeemed.
    public var codeLifetime: Duration = .seconds(60)
    /// Lengths, lifetimes and limits of native authentication.
    public var nativeAuth = NativeAuthSettings()
    /// The level of the log on standard error; `nil` writes none.
    public var logLevel: LogLevel?

    /// The defaults.
    public init() {}
}
