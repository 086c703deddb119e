// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MSALBase
import NIOCore

/// Responds to the requests of one listener.
struct Routes: HTTPResponder {
    let addresses: Addresses
    let rendering: ErrorRendering
    let identity: ServerIdentity
    let ports: BoundPorts
    let proxies: TrustedProxies
    let publicURL: String?
    let clock: EmulatorClock
    let faults: FaultQueue
    let journal: Journal

    private static let bodyLimit = 64 * 1024

    /// Responds to one request: fault, endpoint, error rendering, headers, journal.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let (exchange, body, failure) = await read(request, context: context)
        guard exchange.path != Health.path,
            let fault = faults.take(for: exchange, isNamed: { addresses.isNamed($0, in: exchange) })
        else {
            return try await respond(to: exchange, body: body, failure: failure, context: context)
        }
        if fault.delay > .zero { try await Task.sleep(for: fault.delay) }
        if fault.isMute {
            journal.append(JournalEntry(exchange, status: 0))
            try await fault.disconnect()
        }
        var response: Response
        if let error = fault.error(for: exchange) {
            response = try await respond(to: exchange, body: body, failure: error, context: context)
            response.headers.append(contentsOf: Self.headers(of: fault))
        } else if let status = fault.status {
            journal.append(JournalEntry(exchange, status: status))
            response = Self.response(of: fault, status: status)
        } else {
            response = try await respond(to: exchange, body: body, failure: failure, context: context)
        }
        response.body = fault.cut(response.body)
        return response
    }

    private func respond(
        to exchange: Exchange,
        body: Data,
        failure: EntraError?,
        context: EmulatorContext
    ) async throws -> Response {
        let endpoint = addresses.endpoint(for: exchange)
        let audience = endpoint?.audience ?? exchange.audience
        var (response, notes): (Response, RequestNotes) = try await RequestNotes.taking {
            do {
                if let failure { throw failure }
                guard let endpoint else { throw EntraError.notFound }
                return try await respond(to: exchange, body: body, at: endpoint)
            } catch {
                context.logger.debug("Request failed", metadata: ["path": "\(exchange.path)", "error": "\(error)"])
                return rendering.response(for: error, exchange: exchange, audience: audience)
            }
        }
        endpoint?.open(&response, to: exchange)
        response.headers[.date] = exchange.now.httpText
        SecurityHeaders.add(to: &response, exchange: exchange)
        let refusal = notes.refusal
        context.logger.debug(
            "Request",
            metadata: Self.metadata(of: exchange, status: response.status, refusal: refusal)
        )
        if exchange.path != Health.path {
            journal.append(
                JournalEntry(exchange, status: response.status.code, refusal: refusal, remark: notes.remark)
            )
        }
        return response
    }

    private func respond(to exchange: Exchange, body: Data, at endpoint: Endpoint) async throws -> Response {
        if exchange.method == .options { return endpoint.options() }
        if endpoint.methods.contains(exchange.method) { return try await endpoint.run(exchange, body) }
        var response = rendering.response(
            for: EntraError.methodNotAllowed(exchange.method.rawValue, accepted: endpoint.methods.map(\.rawValue)),
            exchange: exchange,
            audience: endpoint.audience
        )
        response.headers[.allow] = endpoint.allowed
        return response
    }

    /// The description of a request for the log. It has no query, because a query may hold secrets.
    private static func metadata(
        of exchange: Exchange,
        status: HTTPResponse.Status,
        refusal: JournalEntry.Refusal?
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": "\(exchange.method.rawValue)", "path": "\(exchange.path)", "status": "\(status.code)",
            "correlation-id": "\(exchange.correlationID)",
        ]
        metadata["refusal"] = refusal.map { "\($0.number.map { "AADSTS\($0)" } ?? $0.error)" }
        return metadata
    }

    // MARK: Reading

    /// Decodes the request. A part that cannot be decoded is left out and reported as the error.
    private func read(_ request: Request, context: EmulatorContext) async -> (Exchange, Data, EntraError?) {
        var failure: EntraError?
        let query = FormValues(request.uri.query ?? "")
        if query == nil { failure = .malformed }
        var body = Data()
        var form: FormValues? = .empty
        do {
            // Nobody waits for a body that is announced as too long.
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.bodyLimit {
                throw NIOTooManyBytesError(maxBytes: Self.bodyLimit)
            }
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            body = Data(buffer.readableBytesView)
            if request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
                form = String(validating: body, as: UTF8.self).flatMap { FormValues($0) }
                if form == nil { failure = .malformed }
            }
        } catch is NIOTooManyBytesError {
            failure = .malformed
            failure?.status = HTTPResponse.Status.contentTooLarge.code
        } catch {
            // The body ends too early, or its chunks are none.
            failure = .malformed
        }
        if !HostField.isClear(in: request) { failure = .unclearHost }
        let requested = request.headers[.clientRequestID] ?? query?["client-request-id"] ?? form?["client-request-id"]
        let connection = ClientConnection(channel: context.channel)
        var exchange = Exchange(
            method: request.method,
            path: request.uri.path,
            query: query ?? .empty,
            form: form ?? .empty,
            headers: request.headers,
            base: base(request.head.authority, context: context),
            publicURL: publicURL,
            // Only a UUID is repeated: a stranger's header must not reach the response.
            correlationID: (requested.flatMap(UUID.init(uuidString:)) ?? .random()).uuidString.lowercased(),
            traceID: UUID.random().uuidString.lowercased(),
            now: clock.now,
            connection: connection,
            clientAddress: proxies.client(of: request.headers, from: connection.address)
        )
        exchange.now = clock.now(for: exchange.presentedClientID)
        return (exchange, body, failure)
    }

    /// The address the client used, if the certificate covers it.
    private func base(_ authority: String?, context: EmulatorContext) -> String {
        guard let authority, let uri = RedirectAddress("https://\(authority)"), uri.rest.isEmpty,
            identity.covers(uri.host)
        else { return "https://localhost:\(ports.platform ?? context.channel.localAddress?.port ?? 443)" }
        // Tokens name the issuer in one way, whichever port handed them out.
        let isMutualTLS = uri.port != nil && uri.port == ports.mutualTLS
        let port = isMutualTLS ? ports.platform : uri.port
        let host = identity.isAdditional(uri.host) ? uri.host : KnownHosts.global(of: uri.host)
        return "https://" + host + (port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
    }

    private static func response(of fault: Fault, status: Int) -> Response {
        Response(
            status: .init(code: status),
            headers: headers(of: fault),
            body: .init(byteBuffer: ByteBuffer(string: fault.body))
        )
    }

    private static func headers(of fault: Fault) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fault.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
