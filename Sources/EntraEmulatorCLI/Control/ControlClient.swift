// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL

/// A client of the control API of an emulator on this machine.
struct ControlClient {
    /// The reason why there is no usable response.
    enum Failure: LocalizedError {
        case unreachable(port: Int)
        case refused
        /// The request is invalid. The message is that of the control API.
        case invalid(String)
        case other(String)

        var errorDescription: String? {
            switch self {
            case .unreachable(let port):
                "cannot connect to an emulator's control API on port \(port) with the certificate of this state folder; "
                    + "start the emulator, or pass its --control-port and --state"
            case .refused:
                "the emulator rejected the control token of this state folder; pass its --state, or "
                    + "--control-token-file"
            case .invalid(let reason): reason
            case .other(let reason): "cannot use the emulator's control API: \(reason)"
            }
        }
    }

    let port: Int
    /// `nil` for requests that require no token.
    let token: String?
    /// The PEM file of the authority that issued the emulator's certificate.
    let authority: URL

    /// The maximum size of a response in bytes. The response for 100,000 users is smaller.
    private static let largest = 256 * 1024 * 1024

    /// The body of a successful response.
    func get(_ path: String) async throws -> Data { try await request(path, body: nil) }

    /// The access token that a request describes.
    func token(_ members: [String: JSONValue]) async throws -> String {
        let response = try await request("/tokens", body: JSONValue.object(members).encoded())
        guard let object = JSONValue(parsing: response) else { throw Failure.other("its response is not JSON") }
        guard let token = object["access_token"]?.string else { throw Failure.other("its response is not a token") }
        return token
    }

    private func request(_ path: String, body: Data?) async throws -> Data {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(authority.path)
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        // If the connection is refused, no program listens on the port, and a second attempt would not change that.
        settings.connectionPool.retryConnectionEstablishment = false
        // The emulator always listens on this address, so that no name server is needed (RFC 6761 §6.3).
        settings.dnsOverride = ["localhost": "127.0.0.1"]
        return try await HTTPClient.withHTTPClient(configuration: settings) { client in
            try await send(path, body: body, by: client)
        }
    }

    private func send(_ path: String, body content: Data?, by client: HTTPClient) async throws -> Data {
        var request = HTTPClientRequest(url: "https://localhost:\(port)\(path)")
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let content {
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: content))
        }
        let response: HTTPClientResponse
        do {
            response = try await client.execute(request, timeout: .seconds(30))
        } catch {
            throw Failure.unreachable(port: port)
        }
        guard response.status != .unauthorized else { throw Failure.refused }
        let body = Data(try await response.body.collect(upTo: Self.largest).readableBytesView)
        guard [.ok, .created].contains(response.status) else {
            let reason = JSONValue(parsing: body)?["error_description"]?.string
            throw reason.map { Failure.invalid($0) }
                ?? .other("it responded with status \(response.status.code)")
        }
        return body
    }
}
