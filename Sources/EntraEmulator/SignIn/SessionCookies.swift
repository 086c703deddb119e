// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The two cookies of a browser: a session cookie, and one that keeps the user signed in for 90 days.
///
/// The prefix `__Host-` binds them to this host, to TLS, and to the path `/`, so that no other site can plant one. A
/// page on another port of this host can, because cookies are not bound to a port (RFC 6265 §8.5). Therefore, their
/// values change whenever a user signs in.
struct SessionCookies: Sendable {
    /// The session cookie, which also identifies the browser during a sign-in.
    let browser: Secret?
    /// The cookie of a user who chose to stay signed in; `nil` if there is none.
    let persistent: Secret?

    /// The cookies that exist.
    var all: [Secret] { [browser, persistent].compactMap(\.self) }

    /// Sets the cookies that exist; others are left unchanged.
    func set(on response: inout Response, of directory: ServedDirectory) {
        let attributes = Self.attributes(directory)
        if let browser {
            let value = "\(Self.browserName)=\(browser.exposed); \(attributes)"
            response.headers.append(.init(name: .setCookie, value: value))
        }
        if let persistent {
            let age = "Max-Age=\(Int(Self.persistentLifetime))"
            let value = "\(Self.persistentName)=\(persistent.exposed); \(age); \(attributes)"
            response.headers.append(.init(name: .setCookie, value: value))
        }
    }

    /// Removes both cookies.
    static func clear(on response: inout Response, of directory: ServedDirectory) {
        let attributes = attributes(directory)
        for name in [browserName, persistentName] {
            response.headers.append(.init(name: .setCookie, value: "\(name)=; Max-Age=0; \(attributes)"))
        }
    }

    /// How long a user who chose to stay signed in remains signed in, in seconds.
    static let persistentLifetime: TimeInterval = 90 * 86_400
    /// How long the other sessions are stored at most, because only the browser knows when it ends.
    static let browserLifetime: TimeInterval = 86_400

    private static let browserName = "__Host-entra-emulator"
    private static let persistentName = "__Host-entra-emulator-kmsi"

    /// As in the service, a frame on another site can use the session (`SameSite=None`, RFC 6265bis §5.6.7), unless the
    /// directory disables that. A form from another site is rejected, because it lacks the form token.
    private static func attributes(_ directory: ServedDirectory) -> String {
        "Path=/; Secure; HttpOnly; SameSite=\(directory.allowsThirdPartyCookies ? "None" : "Lax")"
    }
}

extension SessionCookies {
    /// The cookies of a request.
    init(_ exchange: Exchange) {
        self.init(browser: exchange.cookie(Self.browserName), persistent: exchange.cookie(Self.persistentName))
    }
}
