// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The control API of a bench's emulator.
struct ControlPort {
    let bench: Bench
    let address: String

    init(_ bench: Bench) throws {
        self.bench = bench
        address = "https://localhost:\(try #require(bench.emulator.controlPort))"
    }

    /// Sends a text as the body.
    func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> Bench.Response {
        let token = try #require(bench.emulator.controlToken)
        return try await bench.send(
            method,
            to: address + path,
            headers: ["authorization": "Bearer \(token)"],
            body: body
        )
    }

    /// Sends an object as the body.
    func call(_ method: HTTPMethod, _ path: String, _ body: [String: Any]? = nil) async throws -> Bench.Response {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        return try await send(method, path, text)
    }

    /// A token without a sign-in.
    func token(_ body: [String: Any]) async throws -> String {
        let response = try await call(.POST, "/tokens", body)
        return try #require(try response.json()["access_token"] as? String, "\(response.text)")
    }
}
