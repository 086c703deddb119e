// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
import Synchronization

/// The cookies of a browser, stored for the host that set them.
///
/// A subset of RFC 6265: `Domain` is ignored, so that a cookie is only sent to its host.
package struct CookieJar: Sendable {
    private struct Cookie: Sendable {
        let name: String
        let value: String
        let host: String
        let path: String
        let isSecure: Bool
        let expires: Date?
    }

    private var cookies: [Cookie] = []

    /// Creates an empty jar.
    package init() {}

    /// Stores the cookie of a `Set-Cookie` header, and replaces one with the same name. An expired cookie is not
    /// stored.
    package mutating func store(_ header: String, from url: URL, now: Date = Date()) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        guard
            let host = url.bareHost,
            let (name, value) = parts.first.flatMap(Self.pair),
            !name.isEmpty
        else { return }

        var path: String?
        var hasDomain = false
        var isSecure = false
        var expires: Date?
        var maxAge: Date?
        for part in parts.dropFirst() {
            let (attribute, value) = Self.pair(part) ?? (part.trimmingCharacters(in: .whitespaces), "")
            switch attribute.lowercased() {
            case "path": path = value.hasPrefix("/") ? value : nil
            case "domain": hasDomain = true
            case "secure": isSecure = true
            case "expires": expires = Self.date(value)
            case "max-age": maxAge = Int32(value).map { now.addingTimeInterval(TimeInterval($0)) }
            default: break
            }
        }
        guard Self.isTrusted(url) || !isSecure else { return }
        // The prefixes guarantee how a cookie was set (RFC 6265bis §4.1.3). A cookie that violates this is dropped.
        if name.hasPrefix("__Host-"), !isSecure || hasDomain || path != "/" { return }
        if name.hasPrefix("__Secure-"), !isSecure { return }

        let kept = Cookie(
            name: name,
            value: value,
            host: host,
            path: path ?? Self.defaultPath(of: url),
            isSecure: isSecure,
            expires: maxAge ?? expires
        )
        cookies.removeAll { $0.name == kept.name && $0.host == kept.host && $0.path == kept.path }
        if Self.isLive(kept, at: now) { cookies.append(kept) }
    }

    /// The `Cookie` header for an address, or `nil` if no cookie matches. Longer paths come first.
    package func header(for url: URL, now: Date = Date()) -> String? {
        let path = url.path().isEmpty ? "/" : url.path()
        let isTrusted = Self.isTrusted(url)
        let fitting = cookies.enumerated()
            .filter { _, cookie in
                cookie.host == url.bareHost && (isTrusted || !cookie.isSecure) && Self.isLive(cookie, at: now)
                    && Self.matches(path, cookiePath: cookie.path)
            }
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value)" }
        return fitting.isEmpty ? nil : fitting.joined(separator: "; ")
    }

    /// Whether browsers keep a `Secure` cookie of the origin: over TLS, and on this machine (Secure Contexts §3.1).
    private static func isTrusted(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https" || url.bareHost.map(LoopbackAddress.contains) == true
    }

    private static func pair(_ text: Substring) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        return (
            text[..<equals].trimmingCharacters(in: .whitespaces),
            text[text.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        )
    }

    private static func isLive(_ cookie: Cookie, at now: Date) -> Bool {
        guard let expires = cookie.expires else { return true }
        return expires > now
    }

    /// Whether a cookie of `cookiePath` belongs to a request of `path` (RFC 6265 §5.1.4).
    private static func matches(_ path: String, cookiePath: String) -> Bool {
        guard path.hasPrefix(cookiePath) else { return false }
        return path == cookiePath || cookiePath.hasSuffix("/") || path.dropFirst(cookiePath.count).hasPrefix("/")
    }

    /// The directory of the request's path (RFC 6265 §5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path()
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); `nil` for any other text.
    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text)
    }
}

/// The cookies of a browser, which several runs may use one after the other or concurrently.
package final class SharedCookies: Sendable {
    private let jar = Mutex(CookieJar())

    /// Creates an empty collection.
    package init() {}

    /// Removes all cookies, like a new browser profile.
    package func removeAll() { jar.withLock { $0 = CookieJar() } }

    /// The `Cookie` header for an address, or `nil` if no cookie matches.
    func header(for url: URL) -> String? { jar.withLock { $0.header(for: url) } }

    /// Stores the cookies of `Set-Cookie` headers.
    func store(_ headers: [String], from url: URL) {
        jar.withLock { jar in
            for header in headers { jar.store(header, from: url) }
        }
    }
}
