// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import TestSupport
import Testing

/// A port of 127.0.0.1 without TLS behind it: it says nothing, or the same to everybody.
final class RawPort: Sendable {
    let number: Int
    /// An authority at this port.
    let authority: URL
    private let descriptor: Int32
    private let answers: Bool
    private let count = Mutex(0)

    /// `answer` is written to whoever connects and has said something; without it connections stay as they are.
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

    /// How many connections were answered so far.
    var connections: Int { count.withLock(\.self) }

    /// Answers until the port is shut, and then gives its number back: nobody else may do that meanwhile.
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

    /// Refuses everybody from now on.
    func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit {
        shut()
        if !answers { close(descriptor) }
    }
}
