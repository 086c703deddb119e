// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// The two cookies of a browser: one that ends with it, and one that keeps the person signed in for 90 days.
///
/// The prefix `__Host-` ties them to this host, to TLS and to the path `/`, so that no other site can plant one.
struct SessionCookies: Sendable {
    /// Ends with the browser; it also names the browser while a sign-in is under way.
    let browser: Secret?
    /// Set when the person chose to stay signed in.
    let persistent: Secret?

    init(_ exchange: Exchange) {
        browser = exchange.cookie(Self.browserName)
        persistent = exchange.cookie(Self.persistentName)
    }

    /// The cookies that exist.
    var all: [Secret] { [browser, persistent].compactMap(\.self) }

    /// Sets the cookie that ends with the browser.
    static func set(browser: Secret, on response: inout Response) {
        response.headers.append(.init(name: .setCookie, value: "\(browserName)=\(browser.revealed); \(attributes)"))
    }

    /// Sets the cookie that lasts.
    static func set(persistent: Secret, on response: inout Response) {
        let age = "Max-Age=\(Int(persistentLifetime))"
        response.headers.append(
            .init(name: .setCookie, value: "\(persistentName)=\(persistent.revealed); \(age); \(attributes)")
        )
    }

    /// Removes both.
    static func clear(on response: inout Response) {
        for name in [browserName, persistentName] {
            response.headers.append(.init(name: .setCookie, value: "\(name)=; Max-Age=0; \(attributes)"))
        }
    }

    /// How long a person stays signed in after choosing so, in seconds.
    static let persistentLifetime: TimeInterval = 90 * 86_400
    /// How long the other sessions are stored at most, because only the browser knows its end.
    static let browserLifetime: TimeInterval = 86_400

    private static let browserName = "__Host-entra-emulator"
    private static let persistentName = "__Host-entra-emulator-kmsi"
    // Every form of the emulator posts to the emulator itself, so nothing needs SameSite=None.
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"
}
