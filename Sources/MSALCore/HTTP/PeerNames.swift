// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOSSL

/// The hosts that a server's certificate covers: the DNS names and addresses of its subjectAltName.
///
/// The TLS library has compared names before, but less strictly than RFC 9525 demands. Without the extension it accepts
/// the subject's common name. It accepts a lone `*`, and the address of a proxy instead of the server's.
struct PeerNames: Sendable, Equatable {
    private var names: Set<[String]> = []
    private var addresses: Set<[UInt8]> = []
    /// Whether the connection is plain HTTP, which has no certificate. Only this machine's own interfaces are reached so.
    private var isPlain = false

    init(dnsNames: [[UInt8]], addresses: [[UInt8]]) {
        names = Set(dnsNames.compactMap { Self.labels(of: $0) })
        self.addresses = Set(addresses)
    }

    /// Reads the names of the connection that `pipeline` belongs to, after its handshake.
    init(of pipeline: ChannelPipeline.SynchronousOperations) {
        guard let handler = try? pipeline.handler(type: NIOSSLHandler.self) else {  // The connection has no TLS.
            self.init(dnsNames: [], addresses: [])
            isPlain = true
            return
        }
        let all = handler.peerCertificate.map { Array($0._subjectAlternativeNames()) } ?? []
        self.init(
            dnsNames: all.filter { $0.nameType == .dnsName }.map { Array($0.contents) },
            addresses: all.filter { $0.nameType == .ipAddress }.map { Array($0.contents) }
        )
    }

    /// Whether the certificate covers `host`, which is a name, or an address without brackets.
    func cover(_ host: String) -> Bool {
        if isPlain { return true }
        if let address = Self.address(host) { return addresses.contains(address) }
        guard let labels = Self.labels(of: Array(host.utf8)) else { return false }
        if names.contains(labels) { return true }
        // The wildcard is the whole left-most label (RFC 9525 §6.3). Two labels must follow it, as in curl, because no
        // one owner controls all names below a top-level domain or below `localhost`.
        return labels.count >= 3 && names.contains(["*"] + labels.dropFirst())
    }

    /// The labels of a DNS name in lower case, without the dot at its end. The result is `nil` if the bytes are not a
    /// name.
    private static func labels(of name: [UInt8]) -> [String]? {
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var text = String(decoding: name, as: UTF8.self).lowercased()
        if text.hasSuffix(".") { text.removeLast() }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return labels.allSatisfy { !$0.isEmpty } ? labels : nil
    }

    /// The bytes of an IPv4 or IPv6 address in the form of a certificate (RFC 5280 §4.2.1.6).
    private static func address(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes.prefix(4)) : nil
    }
}

/// The value of a `Host` header (RFC 9110 §7.2).
enum HostHeader {
    /// The name or address in a value, without port and brackets.
    static func name(in value: String) -> String {
        if value.hasPrefix("[") { return String(value.dropFirst().prefix { $0 != "]" }) }
        return String(value.prefix { $0 != ":" })
    }
}
