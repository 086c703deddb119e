// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MSALBase
import NIOCore

/// The control port of a running emulator: an API with a bearer token, and the same functions as pages for a browser.
///
/// It listens on 127.0.0.1 or the configured address, with the emulator's certificate. A request without the token
/// learns only that the port is in use.
struct ControlServer: HTTPResponder {
    typealias Context = EmulatorContext

    /// A listening control API.
    struct Running: Sendable {
        /// The listeners, at least one.
        let listeners: [Listener]
        let token: Secret
    }

    let parts: ControlledComponents
    let token: Secret
    let authority: TrustAnchor
    private static let bodyLimit = 64 * 1024
    /// The limit for a body with a directory, the same as for a directory file.
    private static let directoryLimit = 32 << 20

    /// Starts listening.
    ///
    /// - Throws: `IOError` when an address cannot be bound.
    func start(
        at hosts: [String],
        port: Int,
        identity: ServerIdentity,
        logger: Logger
    ) async throws -> Running {
        let listeners = try await Listener.start(
            hosts: hosts,
            port: port,
            tls: try ServerTLS(identity.tls),
            clock: parts.clock,
            responder: self,
            logger: logger
        )
        return Running(listeners: listeners, token: token)
    }

    /// Responds to one request from a program or a browser.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        var response =
            if !HostField.isClear(in: request) {
                Response.json(
                    ["error": "invalid_request", "error_description": "exactly one Host header field is required"],
                    status: .badRequest
                )
            } else if request.uri.path == Health.path, Health.methods.contains(request.method) {
                try Health.response()
            } else if request.uri.path == TrustAnchor.path, TrustAnchor.methods.contains(request.method) {
                try authority.response()
            } else if let authorization = request.headers[.authorization] {
                try await respond(to: request, presenting: Secret(authorization))
            } else {
                try await ControlConsole(parts: parts, token: token).respond(to: request)
            }
        SecurityHeaders.add(to: &response)
        return response
    }

    private func respond(to request: Request, presenting credentials: Secret) async throws -> Response {
        guard credentials == Secret("Bearer \(token.exposed)") else {
            var response = Response.json(["error": "unauthorized"], status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer realm=\"control\""
            return response
        }
        do {
            let body = try await body(of: request)
            guard let query = FormValues(request.uri.query ?? "") else {
                throw ControlRefusal("the query has a broken percent escape")
            }
            return try await ControlAPI(parts: parts)
                .respond(to: request.method, path: request.uri.path, query: query, body: body)
        } catch let refusal as ControlRefusal {
            return .json(
                ["error": "invalid_request", "error_description": .string(refusal.description)],
                status: .badRequest
            )
        } catch {
            // An error that is thrown further would close the connection without a response.
            return .json(
                ["error": "server_error", "error_description": .string(error.userMessage)],
                status: .internalServerError
            )
        }
    }

    private func body(of request: Request) async throws -> JSONValue {
        let buffer: ByteBuffer
        let limit = request.uri.path == "/directory" ? Self.directoryLimit : Self.bodyLimit
        do {
            buffer = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw ControlRefusal("the body must not be larger than \(limit) bytes")
        }
        guard buffer.readableBytes > 0 else { return .null }
        guard let value = JSONValue(parsing: Data(buffer.readableBytesView)) else {
            throw ControlRefusal("the body is not JSON")
        }
        return value
    }
}
