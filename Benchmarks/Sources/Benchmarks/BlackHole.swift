// Licensed under the MIT License. See LICENSE.

import Foundation

/// A way to a server that becomes a black hole when a row says so: it takes connections and bytes, and nothing comes back.
///
/// The program is Benchmarks/black_hole.py.
final class BlackHole {
    /// Where clients connect.
    let socket: String
    private let process: Spawned

    /// Leads to the server at another socket.
    init(before server: String, at socket: String) throws {
        self.socket = socket
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../black_hole.py")
        process = try Spawned("/usr/bin/env", ["python3", script.standardized.path(), socket, server])
        try wait()
    }

    /// Swallows everything from now on.
    func open() throws { try tell("swallow") }

    /// Leads to the server again. The connections of before are cut.
    func close() throws { try tell("forward") }

    func stop() { _ = process.end() }

    private func tell(_ word: String) throws {
        process.write(word + "\n")
        try wait()
    }

    /// Each command, and the beginning, is answered with a line.
    private func wait() throws {
        guard !process.read().isEmpty else { throw CocoaError(.fileReadUnknown) }
    }
}
