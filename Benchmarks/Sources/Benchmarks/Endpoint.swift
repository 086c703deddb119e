// Licensed under the MIT License. See LICENSE.

import Foundation

/// The token endpoint on this machine, which has the service's host name behind a proxy.
///
/// The program is Benchmarks/endpoint.py. The library reaches it through `https_proxy`, as it would reach the service.
final class Endpoint {
    private let process: Spawned

    init(_ folder: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../endpoint.py")
        let path = ProcessInfo.processInfo.environment["BENCHMARK_ENDPOINT"] ?? script.standardized.path()
        process = try Spawned("/usr/bin/env", ["python3", path, folder, Content.host, Content.customerHost])
        // It prints its port as soon as it listens.
        let line = process.read()
        let port = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !port.isEmpty else { throw CocoaError(.fileReadUnknown) }
        setenv("https_proxy", "http://127.0.0.1:\(port)", 1)
        setenv("BENCHMARK_CA", folder + "/ca.pem", 1)
    }

    func stop() {
        _ = process.end()
        unsetenv("https_proxy")
        unsetenv("BENCHMARK_CA")
    }
}
