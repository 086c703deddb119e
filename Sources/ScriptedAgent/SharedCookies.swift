// Licensed under the MIT License. See LICENSE.

import Synchronization

import struct Foundation.URL

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
