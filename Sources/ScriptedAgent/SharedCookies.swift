// Licensed under the MIT License. See LICENSE.

import Synchronization

import struct Foundation.URL

/// The cookies of a browser, which several runs may use one after the other or at the same time.
package final class SharedCookies: Sendable {
    private let jar = Mutex(CookieJar())

    /// No cookies yet.
    package init() {}

    /// Forgets all cookies, as a new browser profile would.
    package func removeAll() {
        jar.withLock { $0 = CookieJar() }
    }

    /// The `Cookie` header for an address, or nothing if no cookie fits.
    func header(for url: URL) -> String? {
        jar.withLock { $0.header(for: url) }
    }

    /// Keeps the cookies of `Set-Cookie` headers.
    func store(_ headers: [String], from url: URL) {
        jar.withLock { jar in
            for header in headers { jar.store(header, from: url) }
        }
    }
}
