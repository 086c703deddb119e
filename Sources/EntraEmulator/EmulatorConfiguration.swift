// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The settings of an emulator. The defaults give the directory of the seed, in memory, on a free port.
///
/// ```swift
/// var configuration = EmulatorConfiguration()
/// configuration.port = 8443
/// configuration.dataDirectory = URL(filePath: "/var/lib/entra-emulator")
/// let emulator = try await Emulator.start(configuration)
/// ```
public struct EmulatorConfiguration: Sendable {
    /// The lines that are logged, from all to the worst only.
    public enum LogLevel: String, Sendable, CaseIterable {
        /// Everything, down to single steps.
        case trace
        /// Details for the search for a mistake in the emulator or in a client.
        case debug
        /// Events of normal work, such as the start with the addresses.
        case info
        /// Normal events that somebody may want to know of.
        case notice
        /// Possible mistakes that do not stop the emulator's work.
        case warning
        /// Failures.
        case error
        /// Failures that end the emulator.
        case critical
    }

    /// The form of the log's lines.
    public enum LogFormat: String, Sendable, CaseIterable {
        /// Lines for people: time, level, label, metadata and message.
        case text
        /// For programs: one JSON object in each line, with `time`, `level`, `label`, `message`, `metadata` and `error`.
        case json
    }

    /// The TLS port on 127.0.0.1 and, where available, ::1; 0 takes a free one.
    public var port: Int = 0
    /// A second TLS port at the same addresses, where clients are asked for a certificate (mutual TLS, RFC 8705); `nil`
    /// opens none, 0 takes a free one. A browser that calls it may ask its user for one.
    public var mutualTLSPort: Int?
    /// A port without TLS at the same addresses, which has the certificate authority's certificate at `/ca.pem` and nothing
    /// else; `nil` opens none, 0 takes a free one.
    public var trustPort: Int?
    /// The address by which everybody names the emulator, such as `https://localhost:8443`: the issuer of its tokens, and
    /// where browsers go. `nil` means the one that each request was sent to. Its host is put into the certificate.
    public var publicURL: URL?
    /// The port of the control API on loopback; `nil` opens none, 0 takes a free one.
    public var controlPort: Int?
    /// An IP address on which other machines reach the emulator, in addition to loopback: `0.0.0.0`, `::`, or an address
    /// of this machine; `nil` listens on loopback only. Its names are put into the certificate. Everybody who reaches the
    /// port can sign in, because the passwords of the directory are published.
    public var listenAddress: String?
    /// The addresses and networks of proxies whose `X-Forwarded-For` says where a client is, such as `10.0.0.0/8`.
    public var trustedProxies: [String] = []
    /// The address at which the control API listens for other machines, in the form of ``listenAddress``. The control
    /// API shows codes and changes users for everybody who has its token.
    public var controlListenAddress: String?
    /// A file with the bearer token of the control API, readable for its user only: 32 to 1,024 printable characters.
    /// `nil` makes a token and keeps it in the state directory.
    public var controlTokenFile: URL?
    /// The tenants, users, applications and APIs of the start.
    public var directory = EmulatorDirectory.seed
    /// Where the certificate authority and the signing key are kept; made on the first start.
    /// `nil` means `$XDG_STATE_HOME/entra-emulator`, else `~/.local/state/entra-emulator`.
    public var stateDirectory: URL?
    /// Keeps people, consents, sessions and refresh tokens in this folder; `nil` keeps them in memory.
    public var dataDirectory: URL?
    /// Host names to add to the server certificate. A name that the certificate authority of the state folder may not sign
    /// for makes a new authority, and clients have to trust that one. After `*.` come two labels or more.
    public var additionalHosts: [String] = []
    /// Whether the server certificate must have Microsoft's own names, such as `login.microsoftonline.com`. Programs need
    /// it that reach the emulator under these names. The certificate authority may sign for them then. So trust it only
    /// where no real sign-in happens. An authority that version 0.9 made may sign for them anyway.
    public var certifiesServiceNames = false
    /// Whether an unknown client id is taken for the directory's first public client. So a program that is registered
    /// elsewhere can sign in here.
    public var acceptsUnknownClients = false
    /// Whether the second use of a refresh token ends the whole sign-in; `nil` does so in External ID tenants only.
    public var strictRotation: Bool?
    /// How long access and id tokens live; the service uses 60 to 90 minutes.
    public var accessTokenLifetime: Duration = .seconds(3599)
    /// The time that a refresh token lives. Refresh tokens of single-page applications always live 24 hours.
    public var refreshTokenLifetime: Duration = .seconds(90 * 86_400)
    /// The time in which an authorization code may be redeemed.
    public var codeLifetime: Duration = .seconds(60)
    /// Lengths, lifetimes, limits and branches of native authentication. ``EmulatorDirectory/native`` replaces them.
    public var nativeAuth = NativeAuthSettings()
    /// Issuers like those of GitHub Actions, Azure Pipelines and Kubernetes, whose tokens federated credentials can
    /// accept; `nil` opens none.
    public var federatedIssuers: FederatedIssuerSettings?
    /// A PEM file of certificate authorities. The emulator trusts them in addition to the system's when it reads the
    /// keys of a federated credential's issuer.
    public var additionalTrustRoots: URL?
    /// The endpoints of managed identities; `nil` opens none.
    public var managedIdentity: ManagedIdentitySettings?
    /// Where the sign-in page lists people. One click on a person signs that person in.
    public var people = PeopleList.onLoopback
    /// Whether `login_hint` of an authorization request signs that user in without a page. With a ``listenAddress``,
    /// ``people`` has to be ``PeopleList/everywhere``, too.
    public var signsInByHint = false
    /// The level of the log on standard error; `nil` writes none.
    public var logLevel: LogLevel?
    /// The form of the log's lines.
    public var logFormat = LogFormat.text

    /// The defaults.
    public init() {}
}
