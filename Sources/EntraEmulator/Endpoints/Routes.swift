// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What Hummingbird hands every request; it keeps the channel for the port that was called.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Answers the requests of one listener.
struct Routes: HTTPResponder {
    let platform: Platform

    private static let bodyLimit = 64 * 1024

    /// Answers one request: fault, endpoint, error rendering, headers, journal.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let (exchange, body, failure) = await read(request, context)
        guard let fault = platform.faults.take(method: exchange.method.rawValue, path: exchange.path) else {
            return try await answer(exchange, body, failure, context)
        }
        if fault.delay > .zero { try await Task.sleep(for: fault.delay) }
        if fault.isMute {
            platform.journal.append(JournalEntry(exchange, status: 0))
            try await fault.disconnect()
        }
        var response: Response
        if let status = fault.status {
            platform.journal.append(JournalEntry(exchange, status: status))
            response = Self.answer(of: fault, status: status)
        } else {
            response = try await answer(exchange, body, failure, context)
        }
        response.body = fault.cut(response.body)
        return response
    }

    private func answer(
        _ exchange: Exchange,
        _ body: Data,
        _ failure: EntraError?,
        _ context: EmulatorContext
    ) async throws -> Response {
        let endpoint = Addresses(platform: platform).endpoint(for: exchange)
        let audience = endpoint?.audience ?? exchange.audience
        var response: Response
        do {
            if let failure { throw failure }
            guard let endpoint else { throw EntraError.notFound }
            response = try await answer(exchange, body, endpoint)
        } catch {
            context.logger.debug("Request failed", metadata: ["path": "\(exchange.path)", "error": "\(error)"])
            response = ErrorRendering(platform: platform).response(for: error, exchange, audience: audience)
        }
        endpoint?.open(&response, to: exchange)
        SecurityHeaders.add(to: &response, exchange)
        if exchange.method == .head { response = response.createHeadResponse() }
        platform.journal.append(JournalEntry(exchange, status: response.status.code))
        return response
    }

    private func answer(_ exchange: Exchange, _ body: Data, _ endpoint: Endpoint) async throws -> Response {
        if exchange.method == .options { return endpoint.options() }
        if endpoint.methods.contains(exchange.method) { return try await endpoint.run(exchange, body) }
        var response = ErrorRendering(platform: platform).response(
            for: EntraError.methodNotAllowed(exchange.method.rawValue, accepted: endpoint.methods.map(\.rawValue)),
            exchange,
            audience: endpoint.audience
        )
        response.headers[.allow] = endpoint.allowed
        return response
    }

    // MARK: Reading

    /// Decodes the request. What cannot be decoded is reported beside an exchange without it.
    private func read(_ request: Request, _ context: EmulatorContext) async -> (Exchange, Data, EntraError?) {
        var failure: EntraError?
        let query = FormValues(request.uri.query ?? "")
        if query == nil { failure = .malformed }
        var body = Data()
        var form: FormValues? = .empty
        do {
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            body = Data(buffer.readableBytesView)
            if request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
                form = String(validating: body, as: UTF8.self).flatMap { FormValues($0) }
                if form == nil { failure = .malformed }
            }
        } catch {
            failure = .malformed
            failure?.status = HTTPResponse.Status.contentTooLarge.code
        }
        let requested = request.headers[.clientRequestID] ?? query?["client-request-id"] ?? form?["client-request-id"]
        let exchange = Exchange(
            method: request.method,
            path: request.uri.path,
            query: query ?? .empty,
            form: form ?? .empty,
            headers: request.headers,
            base: base(request.head.authority, context),
            // Only a UUID is echoed: the header of a stranger must not end up in our answers.
            correlationID: (requested.flatMap(UUID.init(uuidString:)) ?? UUID()).uuidString.lowercased(),
            traceID: UUID().uuidString.lowercased(),
            now: platform.clock.now
        )
        return (exchange, body, failure)
    }

    /// The address the client used, if the certificate covers it.
    private func base(_ authority: String?, _ context: EmulatorContext) -> String {
        guard let authority, let uri = RedirectURI("https://\(authority)"), uri.rest.isEmpty,
            platform.identity.covers(uri.host)
        else { return "https://localhost:\(context.channel.localAddress?.port ?? platform.configuration.port)" }
        return "https://" + uri.host + (uri.port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
    }

    private static func answer(of fault: Fault, status: Int) -> Response {
        var headers = HTTPFields()
        for (name, value) in fault.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: .init(code: status),
            headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: fault.body))
        )
    }
}
