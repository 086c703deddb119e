// Licensed under the MIT License. See LICENSE.

package import MSALCore
import MSALSupport

/// Sends one request to a host, again where that helps (docs/reference/Services.md#managed-identity-repetitions).
package struct ManagedIdentityExchange: Sendable {
    private let request: ManagedIdentityRequest
    private let environment: ServerEnvironment
    private let transport: any HTTPTransport
    private let line: SerialLine?

    /// Requests to IMDS take their turn in `line`.
    package init(_ request: ManagedIdentityRequest, line: SerialLine, environment: ServerEnvironment) {
        self.request = request
        self.environment = environment
        self.line = request.host == .imds ? line : nil
        transport = request.thumbprint.map(environment.pinnedTransport) ?? environment.metadataTransport
    }

    /// The first response that is no reason to ask again, or the last one.
    ///
    /// All attempts together wait for responses as long as one request may take. The pauses between them do not count.
    ///
    /// - Throws: `.unavailable` if no response came; `.throttled` if the host wants a long pause; `.cancelled`.
    package func send(_ message: HTTPMessage) async throws(MSALTokenError) -> HTTPResponse {
        var pauses = RetryPauses(host: request.host)
        var message = message
        var rest = environment.requestTimeout
        while true {
            let pause: Duration
            message.timeout = rest
            let (outcome, time) = await attempt(message)
            rest -= time
            switch outcome {
            case .success(let response):
                guard let next = try self.pause(after: response, left: &pauses) else { return response }
                pause = next
            case .failure(let failure):
                guard [.timedOut, .connectionLost].contains(failure.kind), rest > .zero, let next = pauses.next() else {
                    throw error(for: failure)
                }
                pause = next
            }
            do {
                try await environment.time.sleep(for: pause)
            } catch {
                throw .cancellation
            }
        }
    }

    /// The time before the next attempt; `nil` if the response counts.
    private func pause(
        after response: HTTPResponse,
        left pauses: inout RetryPauses
    ) throws(MSALTokenError) -> Duration? {
        guard pauses.concern(status: response.status) else { return nil }
        let wanted = response[header: "Retry-After"].flatMap { RetryAfter.delay($0, now: environment.time.now) }
        if let wanted, wanted > RetryPauses.longest { throw throttled(response.status, wanted: wanted) }
        return pauses.next(afterStatus: response.status).map { max($0, wanted ?? .zero) }
    }

    /// One attempt, and the time that it took without the wait for its turn.
    private func attempt(_ message: HTTPMessage) async -> (Result<HTTPResponse, TransportError>, Duration) {
        func send() async -> (Result<HTTPResponse, TransportError>, Duration) {
            let start = environment.time.uptime
            do throws(TransportError) {
                return (.success(try await transport.send(message)), environment.time.uptime - start)
            } catch {
                return (.failure(error), environment.time.uptime - start)
            }
        }
        guard let line else { return await send() }
        do throws(TransportError) {
            return try await line.run { () async throws(TransportError) in await send() }
        } catch {
            return (.failure(error), .zero)
        }
    }

    private func throttled(_ status: Int, wanted: Duration) -> MSALTokenError {
        MSALTokenError(
            .throttled,
            message:
                "\(request.host.words) responded with HTTP status \(status) and wants \(wanted.components.seconds) "
                + "seconds without requests. Keep the application object, whose memory spares requests.",
            correlationID: request.correlationID,
            retryAfter: wanted
        )
    }

    private func error(for failure: TransportError) -> MSALTokenError {
        let cause = MSALTokenError(failure, during: request.host.words, correlationID: request.correlationID)
        switch failure.kind {
        case .badResponse where request.host != .imds, .responseTooLarge where request.host != .imds: return cause
        // At the address of the metadata service is something else, if it does not respond as one.
        case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badResponse, .responseTooLarge:
            return MSALTokenError(
                .unavailable,
                message: "\(request.host.words) gave no token: \(failure.message) "
                    + ManagedIdentityResponse.unavailableRemedy,
                correlationID: request.correlationID,
                underlying: cause.causes
            )
        case .badURL, .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid,
            .tlsHandshake, .canceled:
            return cause
        }
    }
}

/// The pauses before the next attempts. Each cause has a limit, so the whole has one, too.
package struct RetryPauses: Sendable {
    /// A host that wants a longer pause is not asked again.
    package static let longest: Duration = .seconds(60)

    private let host: ManagedIdentityHost
    private var moved: [Duration] = Array(repeating: .seconds(10), count: 7)
    private var usual: [Duration]

    package init(host: ManagedIdentityHost) {
        self.host = host
        usual = host == .imds ? [.seconds(1), .seconds(2), .seconds(4)] : Array(repeating: .seconds(1), count: 3)
    }

    /// Whether a response of this status is a reason to ask again.
    package func concern(status: Int) -> Bool {
        switch (host, status) {
        case (.imds, 410), (.imds, 500...599), (_, 408), (_, 429), (_, 500), (_, 503), (_, 504): true
        case (.serviceFabric, 404): false
        case (_, 404): true
        default: false
        }
    }

    /// The pause after a response of such a status; `nil` if there were enough attempts.
    package mutating func next(afterStatus status: Int) -> Duration? {
        // IMDS responds so while it is being updated, which takes a minute at most.
        host == .imds && status == 410 ? moved.isEmpty ? nil : moved.removeFirst() : next()
    }

    /// The pause after an attempt without a response; `nil` if there were enough attempts.
    package mutating func next() -> Duration? { usual.isEmpty ? nil : usual.removeFirst() }
}
