// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The two cookies of a browser: one that ends with it, and one that keeps the person signed in for 90 days.
///
/// The prefix `__Host-` ties them to this host, to TLS and to the path `/`, so that no other site can plant one. A page
/// on another port of this host can, because cookies know no ports (RFC 6265 §8.5). Therefore their values change
/// whenever somebody signs in.
struct SessionCookies: Sendable {
    /// Ends with the browser; it also names the browser while a sign-in is under way.
    let browser: Secret?
    /// The cookie of a person who chose to stay signed in; `nil` if nobody did.
    let persistent: Secret?

    /// The cookies that exist.
    var all: [Secret] { [browser, persistent].compactMap(\.self) }

    /// Gives the browser the cookies that are there; others stay as they are.
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

    /// Removes both.
    static func clear(on response: inout Response, of directory: ServedDirectory) {
        let attributes = attributes(directory)
        for name in [browserName, persistentName] {
            response.headers.append(.init(name: .setCookie, value: "\(name)=; Max-Age=0; \(attributes)"))
        }
    }

    /// The seconds for which a person stays signed in after choosing so.
    static let persistentLifetime: TimeInterval = 90 * 86_400
    /// How long the other sessions are stored at most, because only the browser knows its end.
    static let browserLifetime: TimeInterval = 86_400

    private static let browserName = "__Host-entra-emulator"
    private static let persistentName = "__Host-entra-emulator-kmsi"

    /// As at the service, a frame on another site finds the session (`SameSite=None`, RFC 6265bis §5.6.7), unless the
    /// directory wants otherwise. A form from another site is not accepted: its token is missing.
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
