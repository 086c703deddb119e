// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

/// Visits the authorization server with the desktop's browser (RFC 8252).
///
/// The response arrives at a loopback port, or at `RedirectInbox` through the app's URL handler. A browser is started
/// with a one-time URL at a loopback port, so that other users cannot read the request in the list of processes. If the
/// calling task is canceled, the visit ends with `.canceled`, and the browser's tab stays open.
package struct SystemBrowserAgent: AuthorizationAgent {
    let environment: [String: String]
    private let launcher: BrowserLauncher
    private let inbox: RedirectInbox
    private let relay: RedirectRelay?
    private let time: any TimeSource
    private let random: @Sendable (_ count: Int) -> [UInt8]

    package init(
        environment: [String: String],
        inbox: RedirectInbox = .shared,
        time: any TimeSource,
        random: @escaping @Sendable (_ count: Int) -> [UInt8] = [UInt8].random
    ) {
        self.environment = environment
        launcher = BrowserLauncher(environment: environment)
        self.inbox = inbox
        relay = RedirectRelay(environment: environment)
        self.time = time
        self.random = random
    }

    package func signInEnvironment(browserCommand: [String]?) async -> SignInEnvironment {
        var signInEnvironment = SignInEnvironment(environment: environment)
        (signInEnvironment.launchers, signInEnvironment.missingLaunchers) = await launcher.find(
            command: browserCommand,
            on: signInEnvironment
        )
        return signInEnvironment
    }

    package func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn {
        let session = LoopbackSession(
            visit: visit,
            startToken: Base64URL.encode(random(16)),
            landingToken: Base64URL.encode(random(16))
        )
        let listener = try await listener(for: visit, session: session)
        do throws(AgentError) {
            let returned =
                switch visit.redirect {
                case .loopback(let host, let port, let path):
                    try await browse(
                        visit,
                        redirectURI: "http://\(host)\((listener?.port ?? port).map { ":\($0)" } ?? "")\(path)",
                        port: listener?.port,
                        session: session
                    )
                case .scheme(let redirect):
                    try await receive(redirect, for: visit, port: listener?.port, session: session)
                }
            if let listener,
                let finalPage = finalPage(after: returned, of: visit, port: listener.port, session: session)
            {
                // This task has no owner: it ends by itself within seconds, and the tokens need not wait for a tab.
                Task {
                    await showFinalPage(finalPage, session: session)
                    await listener.close()
                }
            } else {
                await listener?.close()
            }
            return returned
        } catch {
            await listener?.close()
            throw error
        }
    }

    /// Opens the listener of a visit; `nil` if it is not needed because the user pastes the address.
    private func listener(
        for visit: AuthorizationVisit,
        session: LoopbackSession
    ) async throws(AgentError) -> LoopbackListener? {
        switch visit.redirect {
        case .loopback(let host, let port, _):
            do throws(AgentError) {
                return try await LoopbackListener.open(
                    port: port,
                    host: host,
                    listeningOn: visit.listenAddress,
                    session: session
                )
            } catch {
                // The redirect URI is known without the listener, and its address can still be pasted.
                guard visit.paste != nil, port != nil else { throw error }
                Log.warning("The redirect can only be pasted: \(error.message)")
                return nil
            }
        case .scheme where visit.paste != nil:
            return nil
        case .scheme:
            // The redirect goes elsewhere, and the listener only leads the browser to the page.
            return try await LoopbackListener.open(port: nil, host: "localhost", session: session)
        }
    }

    /// Waits for the redirect with the app's own scheme, in this process and in others.
    private func receive(
        _ redirect: URL,
        for visit: AuthorizationVisit,
        port: Int?,
        session: LoopbackSession
    ) async throws(AgentError) -> AuthorizationReturn {
        let leave = inbox.wait(for: redirect, state: visit.expectedState) { session.outcome.settle(.success($0)) }
        defer { leave() }
        // A desktop starts no process for a web address, and only web addresses can be pasted.
        let relayed = visit.paste == nil ? await listenForOtherProcesses() : nil
        do throws(AgentError) {
            let returned = try await browse(visit, redirectURI: redirect.absoluteString, port: port, session: session)
            await relayed?.close()
            return returned
        } catch {
            await relayed?.close()
            throw error
        }
    }

    /// The launcher for a page that tells the user to return to the app; `nil` if the browser already shows a page of
    /// the app or of the listener. After a redirect to the app's own scheme, it still shows the service's page.
    private func finalPage(
        after returned: AuthorizationReturn,
        of visit: AuthorizationVisit,
        port: Int,
        session: LoopbackSession
    ) -> BrowserLaunches? {
        guard case .scheme(let redirect) = visit.redirect, !Task.isCancelled,
            !["http", "https"].contains(redirect.scheme?.lowercased()),
            let page = session.landingAddress(for: returned.parameters, port: port)
        else { return nil }
        return session.workingLauncher(for: page)
    }

    /// Opens the page and waits until the browser has received it. A browser that takes longer shows an error instead,
    /// but the sign-in is complete anyway.
    private func showFinalPage(_ finalPage: BrowserLaunches, session: LoopbackSession) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [time] in
                try? await time.sleep(for: Self.finalPageTimeout)  // The page was fetched in time.
            }
            group.addTask {
                var launches = finalPage
                guard case .started = await launches.next() else { return }
                _ = await session.hasLanded.value(ifCancelled: .failure(.canceledByProgram))
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// A running browser opens a tab within a second.
    private static let finalPageTimeout = Duration.seconds(3)

    /// Opens the page and waits for the end of the visit.
    private func browse(
        _ visit: AuthorizationVisit,
        redirectURI: String,
        port: Int?,
        session: LoopbackSession
    ) async throws(AgentError) -> AuthorizationReturn {
        guard !Task.isCancelled else { throw .canceledByProgram }
        let url = visit.url(redirectURI)
        if let paste = visit.paste {
            let prompts = ask(paste, for: visit, page: url, redirectURI: redirectURI, port: port, session: session)
            defer { prompts?.cancel() }
            let parameters = try await session.outcome.value(within: visit.timeout, time: time)
            return AuthorizationReturn(redirectURI: redirectURI, parameters: parameters)
        }
        visit.window.onOpen?(url)
        let start = port.flatMap { session.startAddress(for: url, port: $0) }
        let launches = try await open(url, for: visit, startingAt: start)
        session.note(launches)
        // The child task ends with this call.
        async let _ = replaceFailedLauncher(launches, for: visit, session: session)
        let parameters = try await session.outcome.value(within: visit.timeout, time: time)
        return AuthorizationReturn(redirectURI: redirectURI, parameters: parameters)
    }

    /// The desktop may start another process of the app for the redirect (see `RedirectRelay`).
    private func listenForOtherProcesses() async -> RedirectRelay.Listener? {
        guard let relay else { return nil }
        do {
            return try await relay.listen(for: inbox, name: Base64URL.encode(random(12)))
        } catch {
            Log.warning("Redirects that other processes receive will not arrive: \(error)")
            return nil
        }
    }

    /// Starts a browser. If none starts, the user can still open the printed URL, possibly on another machine.
    private func open(
        _ url: URL,
        for visit: AuthorizationVisit,
        startingAt start: URL?
    ) async throws(AgentError) -> BrowserLaunches {
        var launches = launcher.launches(
            of: url,
            startingAt: start,
            command: visit.browserCommand,
            parentWindow: visit.window.parent,
            isPrivate: visit.window.isPrivate
        )
        launches.onUsualWindow = visit.window.onUsualWindow
        let outcome = await launches.next()
        guard !Task.isCancelled else { throw .canceledByProgram }
        guard outcome != .canceled else { throw .noBrowserChosen }
        let hasStarted = outcome == .started
        guard hasStarted || !visit.isFollowedByAnotherMode else { throw .noBrowser }
        visit.window.onLaunch?(hasStarted)
        guard hasStarted || visit.waitsForManualOpen else { throw .noBrowser }
        return launches
    }

    /// Tries the next launcher if one fails before the start URL was fetched.
    private func replaceFailedLauncher(
        _ launches: BrowserLaunches,
        for visit: AuthorizationVisit,
        session: LoopbackSession
    ) async {
        var launches = launches
        while await launches.hasFailed(), !session.isStarted, !Task.isCancelled {
            switch await launches.next() {
            case .started: session.note(launches)
            case .unavailable:
                Log.warning("The program for opening the browser failed.")
                if !visit.isFollowedByAnotherMode { visit.window.onLaunch?(false) }
                return visit.waitsForManualOpen ? () : session.outcome.settle(.failure(.noBrowser))
            case .canceled: return session.outcome.settle(.failure(.noBrowserChosen))
            }
        }
    }
}

extension AgentError {
    fileprivate static let noBrowser = AgentError(
        .noBrowser,
        message:
            "No browser can be started here. Name one with browserCommand or the variable BROWSER, set DISPLAY or "
            + "WAYLAND_DISPLAY, or open the address that onOpen receives."
    )

    fileprivate static let noBrowserChosen = AgentError(
        .canceled,
        message: "The user was asked for a browser and chose none."
    )
}
