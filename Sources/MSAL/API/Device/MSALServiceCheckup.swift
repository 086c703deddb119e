// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore
private import Synchronization

/// Queries the service for everything that a sign-in with certain settings needs. Linux only.
///
/// No sign-in takes place, and no token is sent. `msal doctor` shows these findings, and an app's help page can, too.
/// The requests use the same proxies and trusted certificates as the application's.
///
/// ```swift
/// let checkup = await MSALServiceCheckup(configuration, scopes: ["User.Read"])
/// if case .failure(let failure) = checkup.authority { throw failure.error }
/// ```
public struct MSALServiceCheckup: Sendable {
    /// The failure of a check: the contacted host, and the error.
    public struct Failure: Error {
        /// The host that was contacted last; `nil` if none was.
        public let host: String?

        /// The error of a sign-in: in `NSURLErrorDomain` if there was no response, otherwise in ``MSALErrorDomain``.
        public let error: NSError

        /// Whether this machine does not trust the issuer of the server's certificate. If the server is trustworthy,
        /// set ``MSALPublicClientApplicationConfig/caFile``.
        public let isUntrusted: Bool
    }

    /// The keys for verifying ID tokens.
    public struct SigningKeys: Sendable, Hashable {
        /// The host that publishes them.
        public let host: String
        /// The number of usable keys. Without any, sign-ins fail.
        public let count: Int
    }

    /// The host that issues tokens. If it is a failure, all other findings except the clock are missing.
    public let authority: Result<String, Failure>

    /// The keys that the authority publishes.
    public private(set) var signingKeys: Result<SigningKeys, Failure>?

    /// The service's response to a sign-in that shows no page; `nil` without a client ID.
    public private(set) var signInPage: Result<MSALSignInPageResponse, Failure>?

    /// The number of seconds that this machine's clock is ahead of the service's; negative if it is behind, `nil` if
    /// unknown. Tokens are rejected beyond five minutes.
    public private(set) var secondsAhead: Int?

    /// Queries the service.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the application. Its client ID and redirect URI are sent. If the client ID is
    ///     empty, the sign-in page is not checked.
    ///   - scopes: The scopes of the sign-in.
    public init(_ configuration: MSALPublicClientApplicationConfig, scopes: [String]) async {
        let environment = ProcessInfo.processInfo.environment
        // An invalid emulator setting is not a finding about the service. Creating the application reports it.
        let emulator = try? EmulatorAddress(allowedIn: environment)
        let transport = AsyncHTTPClientTransport(configuration.connections(at: emulator, environment))
        let time = SystemTime()
        await self.init(configuration, scopes: scopes, transport: transport, time: time, emulator: emulator)
    }

    /// Queries the service through the given transport.
    package init(
        _ configuration: MSALPublicClientApplicationConfig,
        scopes: [String],
        transport base: any HTTPTransport,
        time: any TimeSource,
        emulator: EmulatorAddress? = nil
    ) async {
        let transport = ResponseRecorder(base)
        let own = emulator?.replacing(configuration.authority.core) ?? configuration.authority.core
        let authorities = AuthorityResolver(transport: transport, time: time).adapted(to: own)
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

/// A transport that records the host of the last request, and the time in its response.
private final class ResponseRecorder: HTTPTransport {
    private let base: any HTTPTransport
    private let state = Mutex<(host: String?, date: String?)>((nil, nil))

    init(_ base: any HTTPTransport) { self.base = base }

    var host: String? { state.withLock { $0.host } }

    var date: Date? { state.withLock { $0.date }.flatMap(RetryAfter.httpDate) }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.host = message.url.host() }
        var message = message
        // The user is waiting for it.
        message.timeout = .seconds(15)
        let reply = try await base.send(message)
        state.withLock { $0.date = reply[header: "Date"] ?? $0.date }
        return reply
    }
}
