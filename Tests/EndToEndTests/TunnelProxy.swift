// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A small HTTP proxy that supports only `CONNECT` (RFC 9110 §9.3.6), and connects to one port, whatever name is
/// requested.
final class TunnelProxy: Sendable {
    /// The value of a proxy variable.
    let address: String
    private let listener: Int32
    private let seen: Targets

    /// The requests to the proxy. Stored separately, so that the serving thread keeps nothing else alive.
    private final class Targets: Sendable {
        let all = Mutex<[String]>([])
    }

    /// A proxy on 127.0.0.1 whose tunnels all end at `port` there. A request must carry the `user:password` in
    /// `credentials`, if set.
    init(to port: Int, expecting credentials: String? = nil) throws {
        let proxy = try LoopbackPort()
        let listener = proxy.descriptor
        let seen = Targets()
        self.listener = listener
        self.seen = seen
        address = "http://127.0.0.1:\(proxy.number)"
        let expected = credentials.map { "Proxy-Authorization: Basic \(Data($0.utf8).base64EncodedString())" }
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { Self.serve(client, port: port, expected: expected, seen: seen) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The `host:port` of every tunnel that was opened, in order.
    var targets: [String] { seen.all.withLock { $0 } }

    private static func serve(_ client: Int32, port: Int, expected: String?, seen: Targets) {
        defer { close(client) }
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            // One byte at a time: everything after the head belongs to the tunnel.
            guard let byte = receive(client, atMost: 1)?.first else { return }
            head.append(Character(Unicode.Scalar(byte)))
        }
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "CONNECT" else { return reply("405 Method Not Allowed", to: client) }
        if let expected, !lines.contains(where: { $0.caseInsensitiveCompare(expected) == .orderedSame }) {
            return reply("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"", to: client)
        }
        guard let server = connected(to: port) else { return reply("502 Bad Gateway", to: client) }
        seen.all.withLock { $0.append(String(words[1])) }
        reply("200 Connection established", to: client)
        let backIsDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            pump(from: server, to: client)
            backIsDone.signal()
        }
        pump(from: client, to: server)
        // A closed descriptor number may be reused at once.
        backIsDone.wait()
        close(server)
    }

    private static func reply(_ status: String, to client: Int32) {
        forward(Array("HTTP/1.1 \(status)\r\n\r\n".utf8), to: client)
    }

    /// Copies bytes until one side ends, and then shuts down the other.
    private static func pump(from source: Int32, to sink: Int32) {
        while let bytes = receive(source, atMost: 16_384), !bytes.isEmpty {
            guard forward(bytes, to: sink) else { break }
        }
        shutdown(sink, Int32(SHUT_RDWR))
    }

    private static func receive(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &bytes, count, 0)
        return received < 0 ? nil : Array(bytes.prefix(received))
    }

    @discardableResult
    private static func forward(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private static func connected(to port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return isConnected ? descriptor : nil
    }
}
