// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore

/// Sends the requests for one token to a host, and repeats them where that helps
/// (docs/reference/Services.md#managed-identity-repetitions).
///
/// Azure Arc needs two requests. All attempts of all requests together wait for responses as long as one request may
/// take (docs/reference/Services.md#limits).
package struct ManagedIdentityExchange: Sendable {
    private let request: ManagedIdentityRequest
    private let environment: ServerEnvironment
    private let transport: any HTTPTransport
    private let line: AsyncSerialQueue?
    /// The time that is left for responses.
    private var rest: Duration

    /// Requests to a host that takes few at once take their turn in `line`.
    package init(_ request: ManagedIdentityRequest, line: AsyncSerialQueue, environment: ServerEnvironment) {
        self.request = request
        self.environment = environment
        rest = environment.requestTimeout
        self.line = request.host.takesTurns ? line : nil
        transport = ObservedTransport(
            request.thumbprint.map(environment.pinnedTransport) ?? environment.metadataTransport,
            time: environment.time,
            endpoint: .imds
        )
    }

    /// The first response that is no reason to ask again, or the last one.
    ///
    /// The pauses between the attempts do not count.
    ///
    /// - Throws: `.unavailable` if no response came; `.throttled` if the host wants a long pause; `.cancelled`.
    package mutating func send(_ message: HTTPMessage) async throws(MSALTokenError) -> HTTPResponse {
        var pauses = RetryPauses(host: request.host, isRetrying: environment.isRetrying)
        var message = message
        guard rest > .zero else {
            throw error(for: TransportError(.timedOut, message: "The call timed out before its second response."))
        }
        while true {
            let pause: Duration
            message.timeout = rest
            let (outcome, time) = await attempt(message)
            rest -= time
            switch outcome {
            case .success(let response):
                guard let next = try self.pause(after: response, left: &pauses), rest > .zero else { return response }
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

    /// The time before the next attempt; `nil` if the response is final.
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
            let outcome = await Result { () async throws(TransportError) in try await transport.send(message) }
            return (outcome, environment.time.uptime - start)
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
                + "seconds without requests. Keep the application object, because its cache saves requests.",
            correlationID: request.correlationID,
            retryAfter: wanted
        )
    }

    private func error(for failure: TransportError) -> MSALTokenError {
        let cause = MSALTokenError(failure, during: request.host.words, correlationID: request.correlationID)
        switch failure.kind {
        case .badResponse where !request.host.hasCommonAddress, .responseTooLarge where !request.host.hasCommonAddress:
            return cause
        // At a common address, anything that does not respond as the host is another program.
        case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badResponse, .responseTooLarge:
            return MSALTokenError(
                .unavailable,
                message: "\(request.host.words) returned no token: \(failure.message) "
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

/// The delays before the next attempts. Each cause has a limited number of attempts, so all causes together have one,
/// too.
package struct RetryPauses: Sendable {
    /// A host that wants a longer pause is not asked again.
    package static let longest: Duration = .seconds(60)

    private let host: any ManagedIdentityHost
    private var usual: [Duration]
    private var whileGone: [Duration]

    package init(host: any ManagedIdentityHost, isRetrying: Bool = true) {
        self.host = host
        usual = isRetrying ? host.pauses : []
        whileGone = isRetrying ? host.pausesWhileGone : []
    }

    /// Whether a response with this status is retried.
    package func concern(status: Int) -> Bool { host.isTemporary(status: status) }

    /// The pause after a response of such a status; `nil` if there were enough attempts.
    package mutating func next(afterStatus status: Int) -> Duration? {
        guard status == 410 else { return next() }
        return whileGone.isEmpty ? nil : whileGone.removeFirst()
    }

    /// The pause after an attempt without a response; `nil` if there were enough attempts.
    package mutating func next() -> Duration? { usual.isEmpty ? nil : usual.removeFirst() }
}
