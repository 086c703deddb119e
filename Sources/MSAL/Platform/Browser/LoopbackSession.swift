// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Synchronization

/// Handles the requests of one visit from all connections: applies the rules, invalidates the start URL after its first
/// use, and chooses the page.
final class LoopbackSession: Sendable {
    /// The page to show, and the end of the visit if the visit ends with it. The end is announced after the page has
    /// been sent.
    ///
    /// Its description has only the status because the end may contain the code.
    struct Response: Sendable, CustomStringConvertible, RedactedReflection {
        var page: LoopbackPage
        var end: VisitEnd?
        /// Whether this is the page about a redirect that arrived elsewhere.
        var isLanding = false

        var description: String { "page \(page.status), \(end == nil ? "not the end" : "the end")" }
    }

    private struct Progress {
        /// The page that the start URL leads to; `nil` until it is known.
        var page: URL?
        var isStarted = false
        var hasMetAnotherUser = false
        var hasMetUnknownPeer = false
        var hasEnded = false
        var landing: LoopbackPage?
        var launches: BrowserLaunches?
    }

    let outcome = OneShot<VisitEnd>()
    /// Settled when the browser has received the landing page.
    let hasLanded = OneShot<VisitEnd>()
    private let visit: AuthorizationVisit
    private let rules: LoopbackRules
    private let progress = Mutex(Progress())
    /// Connections belong to no task. The closure adds the sign-in's correlation ID to the line.
    private let warnOfAnotherUser = Log.carried {
        Log.warning("Another user of this machine tried to take part in this sign-in, and was refused.")
    }

    private let warnOfUnknownPeer = Log.carried {
        Log.warning(
            "A program connected to this sign-in from another machine or through a relay. Its user is unknown; the "
                + "state of the redirect is checked as always."
        )
    }

    /// `startToken` and `landingToken` are the random, unguessable parts of the start URL and of the landing page's
    /// URL.
    init(visit: AuthorizationVisit, startToken: String, landingToken: String? = nil) {
        self.visit = visit
        let redirectPath: String? =
            switch visit.redirect {
            case .loopback(_, _, let path): path
            case .scheme: nil
            }
        rules = LoopbackRules(
            startPath: "/start/\(startToken)",
            landingPath: landingToken.map { "/end/\($0)" },
            redirectPath: redirectPath,
            expectedState: visit.expectedState,
            responseMode: visit.responseMode
        )
    }

    /// Creates the URL that leads to `page` once. It contains nothing of the request, so it may appear in a list of
    /// processes.
    func startAddress(for page: URL, port: Int) -> URL? {
        progress.withLock { $0.page = page }
        return URL(string: "http://localhost:\(port)\(rules.startPath)")
    }

    /// Creates the URL of a page that describes how the visit ended, for a redirect with the app's own scheme: such a
    /// redirect leaves the browser on its previous page.
    func landingAddress(for parameters: [String: String], port: Int) -> URL? {
        guard let path = rules.landingPath else { return nil }
        progress.withLock { $0.landing = endPage(for: parameters) }
        return URL(string: "http://localhost:\(port)\(path)")
    }

    private func endPage(for parameters: [String: String]) -> LoopbackPage {
        let isDone = visit.purpose == .signOut || !(parameters["code"] ?? "").isEmpty
        let succeeds = isDone && parameters["error"] == nil
        let texts = visit.window.pageTexts
        return succeeds ? .success(visit.purpose, texts: texts) : .refused(parameters, texts: texts)
    }

    /// Stores the launcher that was started for the page.
    func note(_ launches: BrowserLaunches) { progress.withLock { $0.launches = launches } }

    /// The launcher that showed the page, for another page; `nil` if none is known to have done so. A portal receives
    /// the page's own URL, and reports whether it opened it.
    func workingLauncher(for page: URL) -> BrowserLaunches? {
        progress.withLock { progress in
            guard let launches = progress.launches, let launcher = launches.current,
                progress.isStarted || launcher.isPortal
            else { return nil }
            return launches.repeated(for: page)
        }
    }

    /// Whether a browser was led to the page.
    var isStarted: Bool { progress.withLock(\.isStarted) }

    /// Responds to a request. `owner` determines the owner of the connection. That takes a moment, so it is called only
    /// if the result matters.
    func response(to request: LoopbackRules.Request, port: Int, owner: () -> ConnectionOwner) -> Response {
        let verdict = rules.verdict(request, port: port)
        if case .respond(let status, let allowed) = verdict { return Response(page: .notice(status, allowed: allowed)) }
        let owner = owner()
        if owner == .another { return refuseAnotherUser() }
        // No process would receive the page, and the owner of the connection can no longer be determined. The visit
        // continues, and the browser's next attempt is accepted.
        if owner == .gone { return Response(page: .notice(404)) }
        if owner == .unknown, visit.listenAddress != nil, isFirst(\.hasMetUnknownPeer) { warnOfUnknownPeer() }
        return progress.withLock { progress in
            // Between the last page and the closing of the port, a second redirect must not replace the first.
            guard !progress.hasEnded else { return Response(page: .notice(404)) }
            let response = response(to: verdict, owner: owner, in: &progress)
            progress.hasEnded = response.end != nil
            return response
        }
    }

    /// Rejects another user of the machine who learned a URL of the visit, for instance from the list of processes. The
    /// URL is useless to that user, and the visit continues.
    private func refuseAnotherUser() -> Response {
        if isFirst(\.hasMetAnotherUser) { warnOfAnotherUser() }
        return Response(page: .anotherUsers)
    }

    /// Sets a flag of the progress, and returns whether it was not set before.
    private func isFirst(_ flag: WritableKeyPath<Progress, Bool>) -> Bool {
        progress.withLock { progress in
            defer { progress[keyPath: flag] = true }
            return !progress[keyPath: flag]
        }
    }

    private func response(
        to verdict: LoopbackRules.Verdict,
        owner: ConnectionOwner,
        in progress: inout Progress
    ) -> Response {
        switch verdict {
        case .respond(let status, let allowed):
            return Response(page: .notice(status, allowed: allowed))
        case .start:
            return start(owner, in: &progress)
        case .landing:
            guard let page = progress.landing else { return Response(page: .notice(404)) }
            return Response(page: page, isLanding: true)
        case .accept(let parameters):
            return Response(page: endPage(for: parameters), end: .success(parameters))
        case .fail(let kind, let status):
            let text = "The response came in the address of the redirect, although a form post was asked for."
            let page = LoopbackPage.refused(["error": text], status: status, texts: visit.window.pageTexts)
            return Response(page: page, end: .failure(AgentError(kind, message: text)))
        }
    }

    /// The first fetch leads to the page. A second one may mean that another user made the first, who could then sign
    /// in to this user's program with a different account.
    private func start(_ owner: ConnectionOwner, in progress: inout Progress) -> Response {
        guard let page = progress.page else { return Response(page: .notice(404)) }
        guard progress.isStarted else {
            progress.isStarted = true
            return Response(page: .start(page))
        }
        guard owner != .own else { return Response(page: .startedAlready) }
        return Response(page: .startedTwice, end: .failure(.startedTwice))
    }
}

extension AgentError {
    fileprivate static let startedTwice = AgentError(
        .startedTwice,
        message:
            "The address that leads to the page was opened twice, possibly by another user, so nothing was accepted. "
            + "Start again, and open the address once."
    )
}
