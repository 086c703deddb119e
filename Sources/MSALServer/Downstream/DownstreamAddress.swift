// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The addresses to which requests of a downstream API may go: to one origin, and to no other
/// (docs/reference/Services.md#downstream).
struct DownstreamAddress: Sendable {
    private let base: URL
    private let origin: Origin

    /// A scheme, a host and a port (RFC 6454 §4).
    private struct Origin: Equatable {
        let scheme: String
        let host: String
        let port: Int

        init?(_ url: URL) {
            guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
                return nil
            }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }

    /// The base of an API.
    ///
    /// - Throws: `.configuration` unless it is https, or http on this machine, without query and fragment.
    init(_ base: URL) throws(MSALTokenError) {
        func fault(_ words: String) -> MSALTokenError {
            MSALTokenError(.configuration, message: "The base URL of the API \(words).")
        }
        do throws(TransportError) {
            _ = try HTTPAddress(base)
        } catch {
            throw fault("cannot be used: \(error.message)")
        }
        guard let origin = Origin(base), origin.scheme == "https" || LoopbackAddress.contains(base.plainHost) else {
            throw fault("begins with http:, which is allowed only for this machine. Use an https address")
        }
        guard base.query() == nil, base.fragment() == nil else { throw fault("has a query or a fragment. Remove it") }
        self.base = base
        self.origin = origin
    }

    /// The address of a request.
    ///
    /// - Throws: `.invalidRequest` for a path that is malformed, leaves the base, or goes elsewhere.
    func address(of request: MSALDownstreamRequest) throws(MSALDownstreamError) -> HTTPAddress {
        let path = request.path
        guard
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else {
            throw .invalidRequest("The path contains an invalid character, such as a space or a #. Percent-encode it.")
        }
        // A colon alone makes no address: `items:batch` and `@a:b` are segments of paths.
        let scheme = path.utf8.prefix { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
        let beginsWithLetter = scheme.first.map { $0 > UInt8(ascii: "9") } == true
        let isAbsolute =
            path.hasPrefix("//") || beginsWithLetter && path.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
        guard let url = isAbsolute ? URL(string: path, relativeTo: base)?.absoluteURL : beneathBase(path) else {
            throw .invalidRequest("The path cannot be part of a URL.")
        }
        guard let found = Origin(url), found == origin, url.user() == nil else {
            throw .invalidRequest("The path leads to a server other than the API's, which must not receive its tokens.")
        }
        // A path with user input in it could leave the part of the API that the program means.
        // By bytes: Swift sees "/\u{301}" as one character, and a server sees a slash.
        let segments = url.path(percentEncoded: false).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        guard !segments.contains(where: { $0 == "." || $0 == ".." }), !hasDots(path) else {
            throw .invalidRequest("The path contains a . or .. segment. Remove it.")
        }
        return try checked(url, adding: request.query)
    }

    /// Whether a path has segments of dots, encoded or not. `URL` resolves some of them by itself.
    private func hasDots(_ path: String) -> Bool {
        path.prefix { $0 != "?" }.split(separator: "/").contains {
            let segment = $0.lowercased().replacing("%2e", with: ".")
            return segment == "." || segment == ".."
        }
    }

    private func beneathBase(_ path: String) -> URL? {
        let text = base.absoluteString
        let start = text.hasSuffix("/") ? String(text.dropLast()) : text
        let rest = path.hasPrefix("/") ? String(path.dropFirst()) : path
        return URL(
            string: rest.isEmpty ? text : rest.hasPrefix("?") ? start + rest : "\(start)/\(rest)",
            encodingInvalidCharacters: false
        )
    }

    private func checked(_ url: URL, adding query: [String: String]) throws(MSALDownstreamError) -> HTTPAddress {
        var form = FormBody()
        form.merge(query)
        do throws(TransportError) {
            return try HTTPAddress(built: form.appended(to: url))
        } catch {
            throw .invalidRequest(error.message)
        }
    }

    /// Whether a redirect leads to another server.
    func isElsewhere(_ location: String, from url: URL) -> Bool {
        URL(string: location, relativeTo: url).flatMap { Origin($0.absoluteURL) } != origin
    }
}

extension URL {
    /// The host without the brackets of an IPv6 address.
    fileprivate var plainHost: String { (host() ?? "").trimmingCharacters(in: ["[", "]"]) }
}
