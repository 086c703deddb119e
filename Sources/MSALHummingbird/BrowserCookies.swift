// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase

extension Cookie {
    /// A cookie for this host only that scripts cannot read (RFC 6265bis §4.1.3.2). The browser adds it to forms of other
    /// sites only if `sameSite` is `.none`. A lifetime of zero removes it.
    static func host(_ name: String, _ value: String, lifetime: Duration, sameSite: SameSite = .lax) -> Cookie {
        let maxAge = Int(lifetime.components.seconds)
        return Cookie(name: "__Host-\(name)", value: value, maxAge: maxAge, path: "/", secure: true, sameSite: sameSite)
    }
}

extension Request {
    /// The value of the cookie `__Host-<name>`.
    func hostCookie(_ name: String) -> String? { cookies["__Host-\(name)"]?.value }

    /// The names of the cookies that begin with `__Host-<prefix>`, without `__Host-`.
    func hostCookieNames(prefix: String) -> [String] {
        headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let name = pair.prefix { $0 != "=" }.drop(while: \.isWhitespace)
            return name.hasPrefix("__Host-\(prefix)") ? String(name.dropFirst("__Host-".count)) : nil
        }
    }

    /// Whether the request can change something and was sent by a page of another origin (Fetch Metadata Request
    /// Headers §2.4; RFC 6454 §7 for older browsers).
    func isForgery(unlessFrom origin: String) -> Bool {
        guard ![.get, .head, .options].contains(method) else { return false }
        if let site = header("Sec-Fetch-Site") { return site != "same-origin" && site != "none" }
        return headers[.origin].map { !$0.isExactly(origin) } ?? false
    }

    /// Whether the user follows a link or enters an address, so that the browser can be redirected to another site.
    var isNavigation: Bool {
        [.get, .head].contains(method) && header("Sec-Fetch-Mode").map { $0 == "navigate" } ?? true
    }

    private func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// A path on this site, with its query. A browser that is redirected to it stays on the site.
struct LocalPath: Codable {
    private(set) var text = "/"
    init() {}

    /// `nil` for anything that a browser could read as the address of another host, and for paths too long for a cookie.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Browsers read a backslash as a slash, and omit tabs and line breaks (WHATWG URL §4.4).
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"), bytes.count <= 1024,
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
