// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import Synchronization
import TestSupport

/// A port of 127.0.0.1 that ends every connection during the TLS handshake, always at the same step.
final class HandshakePort: Sendable {
    /// How far the handshake gets.
    enum Moment: CaseIterable, Sendable {
        case beforeHello, afterHello, insideServerHello, afterServerHello
    }

    enum Ending: CaseIterable, Sendable {
        /// With a FIN, like a server that stops.
        case close
        /// With an RST, like a firewall or a crash.
        case reset
    }

    let number: Int
    private let descriptor: Int32
    private let count = Mutex(0)
    private let greeting = Mutex<[UInt8]>([])

    /// `extra` is sent in response to the ClientHello.
    init(_ moment: Moment, _ ending: Ending, saying extra: [UInt8] = []) throws {
        let port = try LoopbackPort()
        number = port.number
        descriptor = port.descriptor
        Thread.detachNewThread { [descriptor = port.descriptor, weak self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                self?.count.withLock { $0 += 1 }
                let heard = Self.serve(connection, moment, ending, extra)
                self?.greeting.withLock { $0 = heard }
            }
            // Closed only here: the number must not be reused while the thread still listens.
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// The number of connections so far.
    var connections: Int { count.withLock(\.self) }

    /// The cipher suites of the last ClientHello (RFC 8446 §4.1.2), or `nil` if there was none.
    var offeredSuites: [UInt16]? {
        var rest = greeting.withLock(\.self)[...].dropFirst(43)  // Record, message, version, random.
        guard let session = rest.popFirst() else { return nil }
        rest = rest.dropFirst(Int(session))
        guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
        let list = Array(rest.prefix(Int(high) << 8 | Int(low)))
        return stride(from: 0, to: list.count - 1, by: 2).map { UInt16(list[$0]) << 8 | UInt16(list[$0 + 1]) }
    }

    /// Returns the ClientHello, if the step receives it.
    private static func serve(_ connection: Int32, _ moment: Moment, _ ending: Ending, _ extra: [UInt8]) -> [UInt8] {
        var greeting: [UInt8] = []
        if moment != .beforeHello {
            greeting = [UInt8](repeating: 0, count: 16_384)
            greeting.removeLast(greeting.count - max(0, read(connection, &greeting, greeting.count)))
        }
        let said =
            switch moment {
            case .beforeHello, .afterHello: extra
            case .insideServerHello: Array(serverHello.prefix(20))
            case .afterServerHello: serverHello
            }
        _ = said.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if ending == .reset {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close(connection)
        return greeting
    }

    /// The ServerHello of TLS 1.2 (RFC 5246 §7.4.1.3): no session, ECDHE_RSA_WITH_AES_128_GCM_SHA256, and the empty
    /// renegotiation_info of RFC 5746.
    private static let serverHello: [UInt8] =
        [0x16, 0x03, 0x03, 0x00, 0x31, 0x02, 0x00, 0x00, 0x2D, 0x03, 0x03] + [UInt8](repeating: 0x2A, count: 32)
        + [0x00, 0xC0, 0x2F, 0x00, 0x00, 0x05, 0xFF, 0x01, 0x00, 0x01, 0x00]
}
