// Licensed under the MIT License. See LICENSE.

import Foundation

/// Visits the authorization server with the browser of the desktop (RFC 8252).
///
/// The answer arrives at a loopback port, or through the app's URL handler at `RedirectInbox`. Cancelling the calling
/// task ends the visit with `.canceled`; the browser's tab stays as it is.
package struct SystemBrowserAgent: AuthorizationAgent {
    private let launcher: BrowserLauncher
    private let inbox: RedirectInbox
    private let relay: RedirectRelay?
    private let time: any TimeSource
    private let random: @Sendable (_ count: Int) -> [UInt8]

    package init(
        environment: [String: String],
        inbox: RedirectInbox = .shared,
        time: any TimeSource,
        random: @escaping @Sendable (_ count: Int) -> [UInt8] = Platform.systemRandom
    ) {
        launcher = BrowserLauncher(environment: environment)
        self.inbox = inbox
        relay = RedirectRelay(environment: environment)
        self.time = time
        self.random = random
    }

    package func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn {
        switch visit.redirect {
        case .loopback(let host, let port, let path):
            try await authorize(visit, host: host, port: port, path: path)
        case .scheme(let redirect):
            try await authorize(visit, redirect: redirect)
        }
    }

    private func authorize(
        _ visit: AuthorizationVisit,
        host: String,
        port: Int?,
        path: String
    ) async throws(AgentError) -> AuthorizationReturn {
        let desk = LoopbackDesk(visit: visit, path: path, cancelToken: Base64URL.encode(random(32)))
        let listener = try await LoopbackListener.open(port: port, host: host, desk: desk)
        let redirectURI = "http://\(host):\(listener.port)\(path)"
        do throws(AgentError) {
            try await open(visit, redirectURI: redirectURI)
            let parameters = try await desk.outcome.value(within: visit.timeout, time: time)
            await listener.close()
            return AuthorizationReturn(redirectURI: redirectURI, parameters: parameters)
        } catch {
            await listener.close()
            throw error
        }
    }

    private func authorize(
        _ visit: AuthorizationVisit,
        redirect: URL
    ) async throws(AgentError) -> AuthorizationReturn {
        let outcome = VisitOutcome()
        let leave = inbox.wait(for: redirect, state: visit.expectedState) { parameters in
            // D-13: on a custom scheme a wrong state ends the visit at once.
            let isOurs = constantTimeEqual(parameters["state"] ?? "", visit.expectedState)
            outcome.settle(isOurs ? .success(parameters) : .failure(.wrongState))
        }
        defer { leave() }
        let relayed = await listenForOtherProcesses()
        do throws(AgentError) {
            try await open(visit, redirectURI: redirect.absoluteString)
            let parameters = try await outcome.value(within: visit.timeout, time: time)
            await relayed?.close()
            return AuthorizationReturn(redirectURI: redirect.absoluteString, parameters: parameters)
        } catch {
            await relayed?.close()
            throw error
        }
    }

    /// The desktop may start another process of the app for the redirect; see `RedirectRelay`.
    private func listenForOtherProcesses() async -> RedirectRelay.Listener? {
        guard let relay else { return nil }
        do {
            return try await relay.listen(for: inbox, name: Base64URL.encode(random(12)))
        } catch {
            Log.warning("Redirects that other processes receive will not arrive: \(error)")
            return nil
        }
    }

    /// Shows the URL and starts a browser. Whoever was shown the URL can open it without one, elsewhere perhaps.
    private func open(_ visit: AuthorizationVisit, redirectURI: String) async throws(AgentError) {
        guard !Task.isCancelled else { throw .canceledByProgram }
        let url = visit.url(redirectURI)
        visit.onOpen?(url)
        let hasStarted: Bool
        let outcome = await launcher.open(
            url,
            command: visit.browserCommand,
            parentWindow: visit.parentWindow,
            isPrivate: visit.prefersPrivateWindow
        )
        guard !Task.isCancelled else { throw .canceledByProgram }
        switch outcome {
        case .started: hasStarted = true
        case .unavailable: hasStarted = false
        case .canceled: throw AgentError(.canceled, "The user was asked for a browser and chose none.")
        }
        visit.onLaunch?(hasStarted)
        guard hasStarted || visit.onOpen != nil else {
            throw AgentError(
                .noBrowser,
                "No browser can be started here. Name one with browserCommand or the variable BROWSER, set DISPLAY or "
                    + "WAYLAND_DISPLAY, or open the address that onOpen receives."
            )
        }
    }
}
