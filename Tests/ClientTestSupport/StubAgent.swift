// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSAL
import Synchronization

/// An agent that performs a visit with a closure instead of a browser.
package final class StubAgent: AuthorizationAgent {
    private let opened = Mutex<[URL]>([])
    private let machine: SignInEnvironment?
    private let answer: @Sendable (AuthorizationVisit, URL) async throws(AgentError) -> [String: String]

    /// - Parameters:
    ///   - machine: The capabilities of the machine; a browser by default.
    ///   - answer: Gets the visit and the URL a browser would open; returns the parameters of the redirect.
    package init(
        on machine: SignInEnvironment? = nil,
        _ answer: @escaping @Sendable (AuthorizationVisit, URL) async throws(AgentError) -> [String: String]
    ) {
        self.machine = machine
        self.answer = answer
    }

    package func signInEnvironment(browserCommand: [String]?) async -> SignInEnvironment {
        if let machine { return machine }
        var machine = SignInEnvironment()
        machine.launchers = ["browser"]
        return machine
    }

    /// Every URL that would have been opened, in order.
    package var openedURLs: [URL] { opened.withLock { $0 } }

    package func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn {
        let redirectURI =
            switch visit.redirect {
            case .loopback(let host, let port, let path): "http://\(host):\(port ?? 49_152)\(path)"
            case .scheme(let redirect): redirect.absoluteString
            }
        let url = visit.url(redirectURI)
        opened.withLock { $0.append(url) }
        if visit.paste == nil { visit.window.onOpen?(url) }
        return AuthorizationReturn(redirectURI: redirectURI, parameters: try await answer(visit, url))
    }
}
