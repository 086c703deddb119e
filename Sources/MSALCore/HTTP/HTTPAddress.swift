// Licensed under the MIT License. See LICENSE.

package import Foundation
import HTTPGuards
import MSALBase

/// The address of a request.
///
/// Settings, metadata, responses and links name addresses. The layers below end the process on some of them, such as
/// one with the port 65536. So an address is checked once, when it is created, and requests accept only checked ones
/// (docs/reference/Protocol.md#addresses).
///
/// Its description is for the log. It leaves out the query, which may carry secrets, the user names in the path, and the
/// usual port of the scheme.
package struct HTTPAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let url: URL

    /// The longest address that a setting or a document may name, in bytes.
    package static let maximumLength = 2_048
    /// The longest address that the library builds itself, and the longest link in a response, in bytes.
    package static let maximumBuiltLength = 16_384

    /// Checks an address: https, or http with this machine or a link-local host; a host; a port from 1 to 65535; no user.
    ///
    /// - Throws: `.badURL`, whose message names the fault and neither the path nor the query.
    package init(_ url: URL, maximumLength: Int = Self.maximumLength) throws(TransportError) {
        let text = url.absoluteString
        guard text.utf8.count <= maximumLength else {
            throw Self.fault("The address has \(text.utf8.count) characters; at most \(maximumLength) are accepted.")
        }
        guard let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty else {
            throw Self.fault("The address has no scheme or no host; https://host/path is expected.")
        }
        guard url.user() == nil, url.password() == nil else {
            throw Self.fault("The address holds a user name, which no address of a service does. Remove it.")
        }
        let name = host.trimmingCharacters(in: ["[", "]"])
        let mayBePlain = LoopbackAddress.contains(name) || LoopbackAddress.isLinkLocal(name)
        guard scheme == "https" || (scheme == "http" && mayBePlain) else {
            throw Self.fault("\(host) is called over https only, and the address begins with \(scheme):.")
        }
        guard ServerAddress.hasPossiblePort(text) else {
            throw Self.fault("The port in the address does not exist. A port is a number from 1 to 65535.")
        }
        self.url = url
    }

    /// Checks an address that was built on another one, such as an endpoint with a query.
    ///
    /// - Throws: As ``init(_:maximumLength:)``.
    package init(built url: URL) throws(TransportError) {
        try self.init(url, maximumLength: Self.maximumBuiltLength)
    }

    /// Reads an address from a text. The result is `nil` for a text that is not a service address.
    package init?(_ text: String) {
        guard let url = URL(string: text), let address = try? HTTPAddress(url) else { return nil }
        self = address
    }

    package var description: String {
        let parts = url.path().split(separator: "/", omittingEmptySubsequences: false)
        return origin + parts.map { $0.contains("@") || $0.contains("%40") ? "…" : $0 }.joined(separator: "/")
    }

    /// Scheme and host in lowercase, and the port unless it is the usual one, as browsers write it (RFC 6454 §6.1).
    package var origin: String {
        let name = (url.host() ?? "").trimmingCharacters(in: ["[", "]"]).lowercasedASCII
        // RFC 3986 §3.2.2: an IPv6 address is in brackets, which `host()` may leave out.
        let host = name.contains(":") ? "[\(name)]" : name
        let scheme = (url.scheme ?? "").lowercasedASCII
        let port = url.port.map { $0 == (scheme == "https" ? 443 : 80) ? "" : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)"
    }

    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func fault(_ message: String) -> TransportError {
        TransportError(.badURL, message: message)
    }
}
