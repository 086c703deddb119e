// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore
private import Synchronization

/// Whether the service has everything that a sign-in with some settings needs, found by asking it. Linux only.
///
/// Nobody signs in, and no token is sent. `msal doctor` shows these findings, and an app's own help page may. The
/// requests go the way that the application's go: by the same proxies, with the same trusted certificates.
///
/// ```swift
/// let checkup = await MSALServiceCheckup(configuration, scopes: ["User.Read"])
/// if case .failure(let failure) = checkup.authority { throw failure.error }
/// ```
public struct MSALServiceCheckup: Sendable {
    /// The failure of a check: the host that was asked, and the error.
    public struct Failure: Error {
        /// The host that was asked last; `nil` if none was asked.
        public let host: String?

        /// The error of a sign-in: in `NSURLErrorDomain` if no response came, else in ``MSALErrorDomain``.
        public let error: NSError

        /// Whether this machine does not know who issued the server's certificate. The remedy is
        /// ``MSALPublicClientApplicationConfig/caFile``, if the server is one to trust.
        public let isUntrusted: Bool
    }

    /// The keys that id tokens are checked with.
    public struct SigningKeys: Sendable, Hashable {
        /// The host that publishes them.
        public let host: String
        /// The number of keys that can be used. With none of them, sign-ins fail.
        public let count: Int
    }

    /// The host that issues tokens. With a failure, the other findings but the clock are missing.
    public let authority: Result<String, Failure>

    /// The keys that the authority publishes.
    public private(set) var signingKeys: Result<SigningKeys, Failure>?

    /// The service's response to a sign-in that shows no page; `nil` without a client id.
    public private(set) var signInPage: Result<MSALSignInPageResponse, Failure>?

    /// How many seconds this machine's clock is ahead of the service's; negative if it is behind, `nil` if the service
    /// did not say. Tokens fail beyond five minutes.
    public private(set) var secondsAhead: Int?

    /// Asks the service.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client id and redirect URI are sent. With an empty client
    ///     id the sign-in page is not asked.
    ///   - scopes: The scopes of the sign-in.
    public init(_ configuration: MSALPublicClientApplicationConfig, scopes: [String]) async {
        let environment = ProcessInfo.processInfo.environment
        // An emulator that cannot be used is no finding of the service. Making the application reports it.
        let emulator = try? EmulatorAddress(allowedIn: environment)
        let transport = AsyncHTTPClientTransport(configuration.connections(at: emulator, environment))
        let time = SystemTime()
        await self.init(configuration, scopes: scopes, transport: transport, time: time, emulator: emulator)
    }

    /// Asks the service by a transport of the caller's choice.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        transport base: any HTTPTransport,
        time: any TimeSource,
        emulator: EmulatorAddress? = nil
    ) async {
        let transport = LastResponse(base)
        let authorities = AuthorityResolver(transport: transport, time: time)
        let own = emulator?.replacing(configuration.authority.core) ?? configuration.authority.core
        let resolved: ResolvedAuthority
        do throws(AuthorityError) {
            resolved = try await authorities.resolve(
                own,
                policy: AuthorityPolicy(
                    isInstanceDiscoveryEnabled: configuration.instanceDiscoveryEnabled,
                    developerKnown: configuration.knownAuthorities.map(\.core)
                ),
                correlationID: .random()
            )
        } catch {
            authority = .failure(Failure(error, host: transport.host))
            return
        }
        authority = .success(resolved.tokenEndpoint.host() ?? own.environment)
        do throws(AuthorityError) {
            let keys = try await authorities.keys(for: resolved.configuration, keyID: nil, correlationID: .random())
            signingKeys = .success(SigningKeys(host: transport.host ?? "", count: keys.count))
        } catch {
            signingKeys = .failure(Failure(error, host: transport.host))
        }
        if !configuration.clientId.isEmpty {
            signInPage = await SignInProbe(configuration, scopes: scopes, authority: resolved).send(by: transport)
        }
        secondsAhead = transport.date.map { Int(time.now.timeIntervalSince($0).rounded()) }
    }
}

extension MSALServiceCheckup.Failure {
    init(_ error: AuthorityError, host: String?) {
        let isUntrusted =
            if case .transport(let cause) = error.kind { cause.kind == .untrustedCertificate } else { false }
        self.init(host: host, error: AuthError(error).nsError, isUntrusted: isUntrusted)
    }

    init(_ error: TransportError, host: String?) {
        self.init(host: host, error: AuthError(error).nsError, isUntrusted: error.kind == .untrustedCertificate)
    }
}

/// A transport that remembers the host of the last request, and the time in its response.
private final class LastResponse: HTTPTransport {
    private let base: any HTTPTransport
    private let state = Mutex<(host: String?, date: String?)>((nil, nil))

    init(_ base: any HTTPTransport) {
        self.base = base
    }

    var host: String? { state.withLock { $0.host } }

    var date: Date? { state.withLock { $0.date }.flatMap(RetryAfter.httpDate) }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.host = message.url.host() }
        var message = message
        // A person waits for it.
        message.timeout = .seconds(15)
        let reply = try await base.send(message)
        state.withLock { $0.date = reply[header: "Date"] ?? $0.date }
        return reply
    }
}
