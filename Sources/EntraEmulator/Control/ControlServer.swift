// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The control port of a running emulator: an API with a bearer token, and the same as pages for a browser.
///
/// It listens on 127.0.0.1 with the emulator's certificate. Without the token there is nothing to see.
struct ControlServer: HTTPResponder {
    typealias Context = EmulatorContext

    /// A listening control API.
    struct Running: Sendable {
        let listener: Listener
        let token: Secret
    }

    let platform: Platform
    private var token = Secret("")
    private static let bodyLimit = 64 * 1024

    init(platform: Platform) {
        self.platform = platform
    }

    /// Starts listening if the configuration names a port; the token is kept in the state directory.
    func start(in state: StateDirectory, logger: Logger) async throws -> Running? {
        guard let port = platform.configuration.controlPort else { return nil }
        var server = self
        server.token = try state.locked {
            if let stored = try state.read("control-token"), stored.count >= 43 { return Secret(stored) }
            let token = Secret.random()
            try state.write(token.revealed, to: "control-token")
            return token
        }
        do {
            let listener = try await Listener.start(
                host: "127.0.0.1",
                port: port,
                tls: platform.identity.tls,
                clock: platform.clock,
                responder: server,
                logger: logger
            )
            return Running(listener: listener, token: server.token)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Emulator.StartFailure(
                description: "control port \(port) is already in use; choose another with --control-port"
            )
        }
    }

    /// Answers one request, of a program or of a browser.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        var response =
            if let authorization = request.headers[.authorization] {
                try await answer(request, presenting: Secret(authorization))
            } else {
                try await ControlConsole(platform: platform, token: token).respond(to: request)
            }
        SecurityHeaders.add(to: &response)
        return response
    }

    private func answer(_ request: Request, presenting credentials: Secret) async throws -> Response {
        guard credentials == Secret("Bearer \(token.revealed)") else {
            var response = try Response.json(["error": "unauthorized"], status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer realm=\"control\""
            return response
        }
        do {
            let body = try await body(of: request)
            return try await ControlAPI(platform: platform).answer(request.method, request.uri.path, body)
        } catch let refusal as ControlRefusal {
            return try .json(
                ["error": "invalid_request", "error_description": .string(refusal.description)],
                status: .badRequest
            )
        } catch {
            // Thrown on, it would close the connection without a word.
            let reason = (error as? StateDirectory.Failure)?.description ?? error.localizedDescription
            return try .json(
                ["error": "server_error", "error_description": .string(reason)],
                status: .internalServerError
            )
        }
    }

    private func body(of request: Request) async throws -> JSONValue {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw ControlRefusal("the body must not be larger than \(Self.bodyLimit) bytes")
        }
        guard buffer.readableBytes > 0 else { return .null }
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(buffer.readableBytesView))
        } catch {
            throw ControlRefusal("the body is not JSON")
        }
    }
}
