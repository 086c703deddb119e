// Licensed under the MIT License. See LICENSE.

package import Foundation
package import Logging
package import MSALBase
package import MSALCore

/// Everything outside the process that this library looks at. A test replaces each part.
///
/// Its description shows nothing, because variables hold secrets.
package struct ServerEnvironment: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The variables in `readVariables`, as they were when the application object was made.
    package var variables: [String: String]
    /// Reads all variables of the process, for the programs that it starts. Nothing keeps them.
    package private(set) var allVariables: @Sendable () -> [String: String]
    package var time: any TimeSource
    /// Returns the number of random bytes asked for.
    package var random: @Sendable (Int) -> [UInt8] = [UInt8].random
    /// Returns a random time between zero and the limit.
    package var jitter: @Sendable (Duration) -> Duration = { limit in
        .seconds(Double.random(in: 0...1) * Double(limit.components.seconds))
    }
    package var files: any ServerFiles
    /// Carries requests to the service, through a proxy where the variables name one.
    package var transport: any HTTPTransport
    /// Carries requests to this machine's own metadata services. It uses no proxy.
    package var metadataTransport: any HTTPTransport
    /// Carries requests to the one server with this certificate.
    package var pinnedTransport: @Sendable (CertificateThumbprint) -> any HTTPTransport = { thumbprint in
        PinnedTransport(thumbprint: thumbprint)
    }
    /// The folder in which the agent of Azure Arc puts the files of its challenges.
    package var arcTokenFolder = "/var/opt/azcmagent/tokens"
    /// Runs the command lines that give tokens.
    package var commands: any ServerCommands = SystemCommands()
    /// The memory that all application objects of the process share.
    package var memory: ProcessMemory
    /// The logger that gets the lines of the log: ``logged(as:_:)``.
    package var logger = Logger(label: "msal")
    /// The time that a request to the service may take with all its repetitions. ``transport`` enforces it.
    package var requestTimeout = MSALCredentialOptions().requestTimeout
    /// The headers of requests to the token endpoint.
    package var headers = ClientHeaders()
    /// Whether requests to managed identity hosts and assertion issuers, which ``transport`` never repeats, are repeated.
    package var isRetrying = true
    /// Reads the metadata and the signing keys of authorities, and keeps them.
    package var authorities: AuthorityResolver
    /// The place to which the metrics and spans of one object go.
    package var instruments = Instruments.none
    /// The background work of one object's calls.
    package var background = BackgroundWork()

    package init(
        variables: [String: String],
        time: any TimeSource,
        files: any ServerFiles,
        transport: any HTTPTransport,
        metadataTransport: any HTTPTransport,
        memory: ProcessMemory,
        authorities: AuthorityResolver? = nil
    ) {
        self.variables = variables.filter { Self.readVariables.contains($0.key) }
        allVariables = { variables }
        self.time = time
        self.files = files
        self.transport = transport
        self.metadataTransport = metadataTransport
        self.memory = memory
        self.authorities = authorities ?? AuthorityResolver(transport: transport, time: time)
    }

    package var description: String { "ServerEnvironment" }

    /// A variable of `readVariables`; `nil` if it is absent or empty.
    package func variable(_ name: String) -> String? {
        assert(Self.readVariables.contains(name), "readVariables lacks \(name)")
        return variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The environment for an object with these settings.
    package func applying(_ options: MSALCredentialOptions) -> ServerEnvironment {
        var copy = self
        copy.logger = options.logger
        copy.requestTimeout = options.requestTimeout
        copy.isRetrying = options.retryPolicy.settings.count > 0
        copy.background = BackgroundWork()
        copy.instruments = options.instruments
        return copy
    }

    /// The settings of connections to the service.
    package static func connections(_ options: MSALCredentialOptions, variables: [String: String]) -> HTTPSettings {
        var settings = HTTPSettings(caFile: options.caFile, environment: variables)
        // A fault in the variables is reported when an object's authority is made.
        if options.allowsEmulator, let emulator = try? EmulatorAddress(in: variables) {
            settings.caFile = nil
            settings.authorities = emulator.authorities
        }
        settings.route = options.proxy.route
        settings.retries = options.retries
        settings.maximumConnections = options.maximumConnections
        // A request also waits for a connection as long as it may take.
        settings.connectTimeout = options.requestTimeout
        return settings
    }

    /// The machine that the process runs on.
    package static func system(_ options: MSALCredentialOptions = MSALCredentialOptions()) -> ServerEnvironment {
        let variables = ProcessInfo.processInfo.environment
        let service = SharedTransports.service(connections(options, variables: variables))
        var environment = ServerEnvironment(
            variables: variables,
            time: SystemTime(),
            files: SystemFiles(),
            transport: service.transport,
            metadataTransport: SharedTransports.metadata,
            memory: .shared,
            authorities: service.authorities
        )
        environment.allVariables = { ProcessInfo.processInfo.environment }
        return environment
    }

    /// The variables that this library reads (docs/reference/Services.md). It keeps no others: the environment of a service
    /// holds the secrets of other libraries, too.
    package static let readVariables: Set<String> = [
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "AZURESUBSCRIPTION_SERVICE_CONNECTION_ID",
        "AZURE_ADDITIONALLY_ALLOWED_TENANTS", "AZURE_AUTHORITY_HOST", "AZURE_CLIENT_CERTIFICATE_PASSWORD",
        "AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET",
        "AZURE_CLIENT_SEND_CERTIFICATE_CHAIN",
        "AZURE_FEDERATED_TOKEN_FILE", "AZURE_IDENTITY_DISABLE_MULTITENANTAUTH", "AZURE_KUBERNETES_CA_DATA",
        "AZURE_KUBERNETES_CA_FILE", "AZURE_KUBERNETES_SNI_NAME", "AZURE_KUBERNETES_TOKEN_PROXY", "AZURE_PASSWORD",
        "AZURE_POD_IDENTITY_AUTHORITY_HOST", "AZURE_TENANT_ID", "AZURE_TOKEN_CREDENTIALS", "AZURE_USERNAME",
        "DEFAULT_IDENTITY_CLIENT_ID", "GITHUB_ACTIONS", "IDENTITY_ENDPOINT", "IDENTITY_HEADER",
        "IDENTITY_SERVER_THUMBPRINT", "IMDS_ENDPOINT", "MSAL_EMULATOR", "MSAL_EMULATOR_CA", "MSAL_FORCE_REGION",
        "MSI_ENDPOINT", "MSI_SECRET", "REGION_NAME", "SYSTEM_ACCESSTOKEN", "SYSTEM_OIDCREQUESTURI",
    ]

    /// Runs a call that may take at most `limit`. Without a limit, only its requests have time-outs.
    ///
    /// - Throws: `.network` with `NSURLErrorDomain` -1001 when the time is over; the failures of the call.
    package func limited<Value: Sendable>(
        to limit: Duration?,
        _ call: @escaping @Sendable () async throws(MSALTokenError) -> Value
    ) async throws(MSALTokenError) -> Value {
        guard let limit else { return try await call() }
        let outcome = await withTaskGroup(of: Result<Value, MSALTokenError>?.self) { group in
            group.addTask { await Result(catching: call) }
            group.addTask { [time] in
                // A canceled sleep returns `nil`, too. But then the call has ended, or no caller waits for it.
                try? await time.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard !Task.isCancelled else { throw .cancellation }
        guard let outcome else { throw .timedOut(limit) }
        return try outcome.get()
    }

    /// Posts a form to a token endpoint and returns the tokens of the response.
    ///
    /// If no connection to the address of the request is possible, `fallback` is asked once. Each of the two addresses
    /// then has half of the time of a request.
    ///
    /// - Throws: The kind of the service's refusal, `.throttled`, `.serviceUnavailable`, `.network` or `.invalidResponse`.
    package func tokens(
        for request: TokenEndpoint.Request,
        orElse fallback: URL? = nil
    ) async throws(MSALTokenError) -> TokenResponse {
        var request = request
        if fallback != nil { request.timeout = requestTimeout / 2 }
        do throws(TokenEndpoint.Failure) {
            let observed = ObservedTransport(transport, time: time, endpoint: .token)
            return try await TokenEndpoint(transport: observed, headers: headers, time: time).tokens(for: request)
        } catch {
            guard let fallback, case .transport(let cause) = error, cause.isWithoutConnection else {
                throw MSALTokenError(error, correlationID: request.correlationID, now: time.now)
            }
            let host = request.url.host() ?? "of the region"
            Log.warning("The host \(host) cannot be reached. The global endpoint is used instead.")
            request.url = fallback
            return try await tokens(for: request)
        }
    }

    /// Runs an operation. Its lines go to the service's logger, with the ID of the request. Its measurements go to the
    /// service's metrics and traces.
    ///
    /// Every slow path runs in this function. If a listener is set already, for instance by a test, it stays.
    package func logged<Value: Sendable, Failure: Error>(
        as correlationID: UUID? = nil,
        _ operation: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await Log.$listener.withValue(Log.listener ?? listener) {
            await Log.$correlationID.withValue(correlationID ?? Log.correlationID) {
                await Instruments.$current.withValue(instruments) { await Result(catching: operation) }
            }
        }
        return try outcome.get()
    }

    /// The same for an operation that waits for nothing, such as the making of an application object.
    package func logged<Value>(_ operation: () throws(MSALTokenError) -> Value) throws(MSALTokenError) -> Value {
        let outcome = Log.$listener.withValue(Log.listener ?? listener) { Result(catching: operation) }
        return try outcome.get()
    }

    /// Hands lines to the logger. Details get the level `debug`, so that a service's log is silent while all goes well.
    private var listener: Log.Listener {
        Log.Listener { [logger] level, message in
            let metadata: Logger.Metadata? = Log.correlationID.map { ["correlation-id": "\($0.uuidString)"] }
            logger.log(level: Logger.Level(level), "\(message)", metadata: metadata)
        }
    }
}

extension MSALTokenError {
    fileprivate static func timedOut(_ limit: Duration) -> MSALTokenError {
        let text =
            "No token came within \(limit.formatted(.units(allowed: [.seconds, .milliseconds], width: .wide))), "
            + "the time limit of the call. Try again, or raise the limit."
        let cause = NSError(domain: NSURLErrorDomain, code: -1001, userInfo: [NSLocalizedDescriptionKey: text])
        return MSALTokenError(.network, message: text, underlying: [cause])
    }
}

extension TransportError {
    /// Whether the request has reached no server. Another host may be asked then.
    fileprivate var isWithoutConnection: Bool {
        switch kind {
        case .cannotFindHost, .cannotConnect: true
        case .timedOut: !hasSentBody
        case .connectionLost, .offline, .badURL, .untrustedCertificate, .wrongHostName, .certificateExpired,
            .certificateNotYetValid, .tlsHandshake, .canceled, .badResponse, .responseTooLarge:
            false
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: Log.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .info
        case .verbose: self = .debug
        }
    }
}
