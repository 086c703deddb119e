// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Responds to the requests of one listener.
struct Routes: HTTPResponder {
    let addresses: RouteTable
    let rendering: ErrorRendering
    let reader: RequestReader
    let faults: FaultQueue
    let journal: Journal

    /// Responds to one request: fault, endpoint, error rendering, headers, journal.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let (exchange, body, failure) = await reader.read(request, context: context)
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
            response = try Self.response(of: fault, status: status, to: exchange)
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

    /// The description of a request for the log. It omits the query, which may contain secrets.
    private static func metadata(
        of exchange: Exchange,
        status: HTTPResponse.Status,
        refusal: JournalEntry.Refusal?
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": "\(exchange.method.rawValue)", "path": "\(exchange.path)", "status": "\(status.code)",
            "correlation-id": "\(exchange.correlationID)",
        ]
        metadata["refusal"] = refusal.map { "\($0.rule)" }
        return metadata
    }

    /// The response of a fault. Without a body of its own, Microsoft Graph's limit has the body that Graph sends.
    private static func response(of fault: Fault, status: Int, to exchange: Exchange) throws -> Response {
        let isGraph = exchange.path.hasPrefix("/v1.0/") || exchange.path.hasPrefix("/beta/")
        if status == 429, fault.body.isEmpty, isGraph {
            var response = try GraphEndpoints.failure(.tooManyRequests, exchange: exchange).response()
            response.headers.append(contentsOf: headers(of: fault))
            return response
        }
        return Response(
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
