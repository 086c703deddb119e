// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The settings of an emulator. By default, it uses the default directory, keeps data in memory, and listens on a free
/// port.
///
/// ```swift
/// var configuration = EmulatorConfiguration()
/// configuration.port = 8443
/// configuration.dataDirectory = URL(filePath: "/var/lib/entra-emulator")
/// let emulator = try await Emulator.start(configuration)
/// ```
public struct EmulatorConfiguration: Sendable {
    /// The minimum severity of logged messages.
    public enum LogLevel: String, Sendable, CaseIterable {
        /// Everything, down to single steps.
        case trace
        /// Details for finding errors in the emulator or in a client.
        case debug
        /// Normal events, such as the start with the addresses.
        case info
        /// Normal events that may need attention.
        case notice
        /// Possible errors that do not affect the emulator.
        case warning
        /// Failures.
        case error
        /// Errors that stop the emulator.
        case critical
    }

    /// The format of log lines.
    public enum LogFormat: String, Sendable, CaseIterable {
        /// For people: time, level, label, metadata, and message.
        case text
        /// For programs: a JSON object per line, with `time`, `level`, `label`, `message`, `metadata`, and `error`.
        case json
    }

    /// The TLS port on 127.0.0.1 and, if available, ::1; 0 selects a free one.
    public var port: Int = 0
    /// A second TLS port on the same addresses that requests client certificates (mutual TLS, RFC 8705); `nil` opens
    /// none, 0 selects a free one. A browser that connects to it may prompt its user.
    public var mutualTLSPort: Int?
    /// A port without TLS on the same addresses, which only serves the certificate authority's certificate at
    /// `/ca.pem`; `nil` opens none, 0 selects a free one.
    public var trustPort: Int?
    /// The public address of the emulator, such as `https://localhost:8443`, for the issuer of its tokens and for
    /// browsers. `nil` uses the address that each request was sent to. The certificate contains its host name.
    public var publicURL: URL?
    /// The port of the control API on loopback; `nil` opens none, 0 selects a free one.
    public var controlPort: Int?
    /// An IP address on which other machines can connect to the emulator, in addition to loopback: `0.0.0.0`, `::`, or
    /// an address of this machine; `nil` listens only on loopback. The certificate contains its names. Anyone who can
    /// reach the port can sign in, because the passwords of the directory are published.
    public var listenAddress: String?
    /// The addresses and networks of proxies whose `X-Forwarded-For` is trusted, such as `10.0.0.0/8`.
    public var trustedProxies: [String] = []
    /// The address on which the control API listens for other machines, in the same format as ``listenAddress``. The
    /// control API reveals codes and changes users for anyone who has its token.
    public var controlListenAddress: String?
    /// A file with the bearer token of the control API, readable only by its owner: 32 to 1,024 printable characters.
    /// `nil` generates a token and stores it in the state directory.
    public var controlTokenFile: URL?
    /// The initial tenants, users, applications, and APIs.
    public var directory = EmulatorDirectory.seed
    /// The folder of the certificate authority and the signing key, which are created at the first start. `nil` means
    /// `$XDG_STATE_HOME/entra-emulator`, otherwise `~/.local/state/entra-emulator`.
    public var stateDirectory: URL?
    /// The folder in which users, consents, sessions, and refresh tokens are stored; `nil` keeps them in memory.
    public var dataDirectory: URL?
    /// Host names to add to the server certificate. If the certificate authority in the state folder may not sign for
    /// one of them, a new authority is created, which clients have to trust. `*.` must be followed by at least two
    /// labels.
    public var additionalHosts: [String] = []
    /// Whether the server certificate must contain Microsoft's own host names, such as `login.microsoftonline.com`.
    /// This is required for programs that connect to the emulator under these names. The certificate authority may then
    /// sign for them, so trust it only where no real sign-ins happen. An authority that version 0.9 created may sign
    /// for them anyway.
    public var certifiesServiceNames = false
    /// Whether an unknown client ID is treated like the directory's first public client, so that a program that is
    /// registered elsewhere can sign in here.
    public var acceptsUnknownClients = false
    /// Whether using a refresh token twice ends the sign-in; `nil` does so only in External ID tenants.
    public var strictRotation: Bool?
    /// The lifetime of access and ID tokens; in the service, it is 60 to 90 minutes. With the default, tokens for
    /// Microsoft Graph are valid for a day if the client has announced the capability `cp1`.
    public var accessTokenLifetime: Duration = TokenIssuer.defaultLifetime
    /// The lifetime of refresh tokens. Those of single-page applications are always valid for 24 hours.
    public var refreshTokenLifetime: Duration = .seconds(90 * 86_400)
    /// The lifetime of authorization codes.
    public var codeLifetime: Duration = .seconds(600)
    /// The limits and branches of native authentication. ``EmulatorDirectory/native`` overrides them.
    public var nativeAuth = NativeAuthSettings()
    /// Simulated issuers of GitHub Actions, Azure Pipelines, and Kubernetes, whose tokens federated credentials can
    /// accept; `nil` opens none.
    public var federatedIssuers: FederatedIssuerSettings?
    /// A PEM file of certificate authorities that the emulator trusts in addition to the system's when it fetches the
    /// keys of a federated credential's issuer.
    public var additionalTrustRoots: URL?
    /// The endpoints of managed identities; `nil` opens none.
    public var managedIdentity: ManagedIdentitySettings?
    /// The clients for which the sign-in page lists users. Clicking a user signs in.
    public var people = PeopleList.onLoopback
    /// Whether `login_hint` of an authorization request signs the user in without a page. With a ``listenAddress``,
    /// ``people`` must be ``PeopleList/everywhere``, too.
    public var signsInByHint = false
    /// The level of the log on standard error; `nil` disables logging.
    public var logLevel: LogLevel?
    /// The format of log lines.
    public var logFormat = LogFormat.text

    /// Creates a configuration with the default values.
    public init() {}
}
