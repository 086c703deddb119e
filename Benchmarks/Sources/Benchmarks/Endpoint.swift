// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The token endpoint on this machine, which stands under the service's name behind a proxy.
///
/// The program is Benchmarks/endpoint.py. The library reaches it as it would reach the service through a proxy of the
/// environment.
final class Endpoint {
    private let process: Spawned

    init(_ folder: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../endpoint.py")
        let path = ProcessInfo.processInfo.environment["BENCHMARK_ENDPOINT"] ?? script.standardized.path()
        process = try Spawned("/usr/bin/env", ["python3", path, folder, Content.host, Content.customerHost])
        // Its port, when it listens.
        let line = process.read()
        let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !port.isEmpty else { throw CocoaError(.fileReadUnknown) }
        setenv("https_proxy", "http://127.0.0.1:\(port)", 1)
        setenv("BENCHMARK_CA", folder + "/ca.pem", 1)
    }

    /// The transport without everything that this library adds: as many bytes, up and down, on the same connection.
    ///
    /// It is asked for tokens, or for the short response of another step.
    func exchange(_ bench: Bench, isForTokens: Bool = true) async throws -> Figure {
        let application = try await bench.application(.memory, 1)
        let parameters = try application.silentParameters(0..<1)[0]
        let result = try await application.acquireTokenSilent(with: parameters)
        var request = MSALAPIRequest(url: try Content.url(isForTokens ? "/echo" : "/oauth2/v2.0/challenge"))
        request.method = "POST"
        let size = isForTokens ? 1900 : 300
        request.body = Data("refresh_token=r0-\(String(repeating: "r", count: size))".utf8)
        return try await measured(Rounds(samples: 15, calls: 20, seconds: 3)) { _ in
            let response = try await application.send(request, with: result)
            guard response.status == 200, response.body.count > (isForTokens ? 4000 : 50) else {
                throw CocoaError(.fileReadUnknown)
            }
        }
    }

    func stop() {
        _ = process.end()
        unsetenv("https_proxy")
        unsetenv("BENCHMARK_CA")
    }
}
