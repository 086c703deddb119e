// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import TestSupport
import Testing

/// A port of 127.0.0.1 without TLS: it sends nothing, or the same bytes to every client.
final class RawPort: Sendable {
    let number: Int
    /// An authority at this port.
    let authority: URL
    private let descriptor: Int32
    private let answers: Bool
    private let count = Mutex(0)

    /// `answer` is sent to each client that has sent something. Without it, connections stay open.
    init(answering answer: String? = nil) throws {
        let port = try LoopbackPort()
        let descriptor = port.descriptor
        self.descriptor = descriptor
        answers = answer != nil
        number = port.number
        authority = try #require(URL(string: "https://127.0.0.1:\(number)/contoso.example"))
        guard let answer else { return }
        Thread.detachNewThread { [weak self] in
            Self.serve(answer, at: descriptor) { self?.count.withLock { $0 += 1 } }
        }
    }

    /// The number of connections that got a response so far.
    var connections: Int { count.withLock(\.self) }

    /// Responds until the port is shut down, and then closes the descriptor. No other code may close it before.
    private static func serve(_ answer: String, at descriptor: Int32, note: () -> Void) {
        while case let connection = accept(descriptor, nil, nil), connection >= 0 {
            note()
            var bytes = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &bytes, bytes.count)
            _ = Array(answer.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(connection)
        }
        close(descriptor)
    }

    /// Refuses all connections from now on.
    func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit {
        shut()
        if !answers { close(descriptor) }
    }
}
