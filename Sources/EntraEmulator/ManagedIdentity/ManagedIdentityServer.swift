// Licensed under the MIT License. See LICENSE.

public import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MSALBase

/// The endpoints of managed identities, on separate loopback ports.
struct ManagedIdentityServer: HTTPResponder {
    typealias Context = EmulatorContext

    let settings: ManagedIdentitySettings
    let tokens: ManagedIdentityTokens
    let challenges: ArcChallenges
    let certificate: PresentedCertificate
    let clock: EmulatorClock
    let journal: Journal
    /// `https://localhost:<port>` of the platform, the prefix of the tokens' issuer.
    let platform: String
    /// Whether this is the TLS port.
    private(set) var isSecure = false

    private static let bodyLimit = 16 * 1024

    /// Starts listening, and publishes the addresses to the machine.
    ///
    /// - Throws: `IOError` if a port cannot be bound; then nothing listens.
    func start(logger: Logger) async throws -> [Listener] {
        var listeners: [Listener] = []
        do {
            let plain = try await listener("127.0.0.1", port: settings.port, logger: logger)
            listeners.append(plain)
            // Clients of Cloud Shell connect to `localhost`. A machine without `::1` uses 127.0.0.1.
            if let second = try? await listener("::1", port: plain.port, logger: logger) { listeners.append(second) }
            if settings.listensAtMetadataAddress {
                listeners.append(try await listener("169.254.169.254", port: plain.port, logger: logger))
            }
            var secure = self
            secure.isSecure = true
            let tls = try await secure.listener("127.0.0.1", port: settings.securePort, logger: logger)
            listeners.append(tls)
            tokens.machine.addresses = ManagedIdentityAddresses(
                port: plain.port,
                securePort: tls.port,
                arcKeyFolder: challenges.folder.path,
                header: settings.header,
                thumbprint: try certificate.identity.thumbprint() ?? "",
                systemClientID: tokens.directory.managedIdentities.first { $0.resourceID == nil }?.clientID
            )
            return listeners
        } catch {
            for listener in listeners { await listener.stop() }
            throw error
        }
    }

    private func listener(_ host: String, port: Int, logger: Logger) async throws -> Listener {
        try await Listener.start(
            host: host,
            port: port,
            tls: isSecure ? try ServerTLS(certificate.tls) : nil,
            clock: clock,
            responder: self,
            logger: logger
        )
    }

    // MARK: Responding

    /// Responds to a request: checks the headers, applies a requested failure, challenges, and issues the token.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let (exchange, isReadable) = await read(request)
        let source = ManagedIdentitySource.allCases.first { $0.isSecure == isSecure && $0.path == exchange.path }
        var response: Response
        var reason: JournalEntry.Refusal?
        do {
            guard HostField.isClear(in: request), isOwn(request.head.authority) else {
                throw IdentityRefusal.foreignHost
            }
            guard isReadable else { throw IdentityRefusal.malformed }
            guard let source else { throw IdentityRefusal.notFound }
            response = try await respond(to: exchange, at: source)
        } catch let refusal as IdentityRefusal {
            reason = JournalEntry.Refusal(number: nil, error: refusal.error, message: refusal.message)
            response = try refusal.response(of: source ?? .imds, to: exchange)
        } catch {
            context.logger.error("Request failed", metadata: ["path": "\(exchange.path)", "error": "\(error)"])
            response = try IdentityRefusal.serverFault.response(of: source ?? .imds, to: exchange)
        }
        SecurityHeaders.add(to: &response, exchange: exchange)
        if exchange.method == .head { response = response.createHeadResponse() }
        journal.append(JournalEntry(exchange, status: response.status.code, refusal: reason))
        return response
    }

    private func respond(to exchange: Exchange, at source: ManagedIdentitySource) async throws -> Response {
        let isFirst = exchange.headers[.authorization] == nil
        var flaw: ManagedIdentityFlaw?
        switch tokens.machine.takeFailure(at: source, isFirst: isFirst)?.effect {
        case .refusal(let status, let retryAfter, let message):
            throw IdentityRefusal.failure(status, retryAfter: retryAfter, message: message)
        case .flaw(let wanted): flaw = wanted
        case nil: break
        }
        var request = try IdentityTokenRequest(exchange, at: source, secret: Secret(settings.header))
        if source == .azureArc, exchange.credentials(.basic).map(challenges.takes) != true {
            throw try challenges.challenge(flaw)
        }
        if flaw == .otherIdentity { request.identity = nil }
        return try await tokens.respond(to: request, at: source, exchange: exchange)
    }

    /// Whether a `Host` names this machine. A web page whose own name was resolved to 127.0.0.1 sends a different
    /// `Host`.
    private func isOwn(_ authority: String?) -> Bool {
        guard let authority, let host = RedirectAddress("http://\(authority)")?.host else { return false }
        return host == "169.254.169.254" || certificate.identity.covers(host)
    }

    // MARK: Reading

    /// Decodes the request. The second value tells whether all of it could be decoded.
    private func read(_ request: Request) async -> (Exchange, Bool) {
        let query = FormValues(request.uri.query ?? "")
        var form: FormValues? = .empty
        if request.method == .post {
            // A body that is too long is rejected like one that cannot be decoded.
            let buffer = try? await request.body.collect(upTo: Self.bodyLimit)
            form = buffer.flatMap { String(validating: $0.readableBytesView, as: UTF8.self) }.flatMap { FormValues($0) }
        }
        let exchange = Exchange(
            request,
            query: query,
            form: form,
            base: platform,
            requestedID: request.headers[.managedIdentityRequestID],
            now: clock.now
        )
        return (exchange, query != nil && form != nil)
    }
}

extension HTTPField.Name {
    /// Every literal passed is a valid token.
    static let managedIdentityRequestID = HTTPField.Name("x-ms-client-request-id") ?? .date
}

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
