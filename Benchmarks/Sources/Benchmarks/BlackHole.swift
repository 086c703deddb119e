// Licensed under the MIT License. See LICENSE.

import Foundation

/// A proxy of a server that becomes a black hole on demand: it then accepts connections and bytes, and returns nothing.
///
/// The program is Benchmarks/black_hole.py.
final class BlackHole {
    /// The path of the Unix socket to which clients connect.
    let socket: String
    private let process: Spawned

    /// Forwards connections to the server's socket.
    init(before server: String, at socket: String) throws {
        self.socket = socket
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../black_hole.py")
        process = try Spawned("/usr/bin/env", ["python3", script.standardized.path(), socket, server])
        try wait()
    }

    /// Starts to discard everything.
    func open() throws { try tell("swallow") }

    /// Forwards new connections to the server again. Existing connections are closed.
    func close() throws { try tell("forward") }

    func stop() { _ = process.end() }

    private func tell(_ word: String) throws {
        process.write(word + "\n")
        try wait()
    }

    /// Waits for the line that the program prints when it listens and after each command.
    private func wait() throws {
        guard !process.read().isEmpty else { throw CocoaError(.fileReadUnknown) }
    }
}
