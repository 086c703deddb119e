// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Receives the requests of one visit, from any connection: applies the rules, counts wrong states, picks the page.
final class LoopbackDesk: Sendable {
    /// The page to show and, if the visit ends with it, how. The end is announced once the page is on its way.
    ///
    /// It prints the status only: the end may hold the code.
    struct Answer: Sendable, CustomStringConvertible, CustomReflectable {
        var page: LoopbackPage
        var end: VisitOutcome.Value?

        var description: String { "page \(page.status), \(end == nil ? "not the end" : "the end")" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    private struct Progress {
        var wrongStates = 0
        var hasEnded = false
    }

    let outcome = VisitOutcome()
    private let visit: AuthorizationVisit
    private let path: String
    private let cancelToken: String
    private let progress = Mutex(Progress())

    init(visit: AuthorizationVisit, path: String, cancelToken: String) {
        self.visit = visit
        self.path = path
        self.cancelToken = cancelToken
    }

    func answer(_ request: LoopbackRules.Request, port: Int) -> Answer {
        let verdict = LoopbackRules.judge(
            request,
            path: path,
            port: port,
            expectedState: visit.expectedState,
            responseMode: visit.responseMode,
            cancelToken: cancelToken
        )
        return progress.withLock { progress in
            // Between the last page and the closing of the port, a second answer must not displace the first.
            guard !progress.hasEnded else { return Answer(page: .notice(404)) }
            // Whoever looks at the receiver by hand may want to give up; other hosts' pages must not learn how.
            let cancelPath = LoopbackRules.isOurs(request.host, port: port) ? "/cancel?token=\(cancelToken)" : nil
            let answer = answer(to: verdict, cancelPath, &progress)
            progress.hasEnded = answer.end != nil
            return answer
        }
    }

    private func answer(
        to verdict: LoopbackRules.Verdict,
        _ cancelPath: String?,
        _ progress: inout Progress
    ) -> Answer {
        switch verdict {
        case .answer(let status):
            return Answer(page: .notice(status, cancelPath: cancelPath))
        case .wrongState:
            progress.wrongStates += 1
            let isLast = progress.wrongStates >= LoopbackRules.maximumWrongStates
            let page = LoopbackPage.notice(400, cancelPath: isLast ? nil : cancelPath)
            return Answer(page: page, end: isLast ? .failure(.wrongState) : nil)
        case .accept(let parameters):
            let isDone = visit.purpose == .signOut || !(parameters["code"] ?? "").isEmpty
            let succeeds = isDone && parameters["error"] == nil
            return Answer(page: succeeds ? .success(visit.purpose) : .refused(parameters), end: .success(parameters))
        case .fail(let kind, let status):
            let text = "The answer came in the address of the redirect, although a form post was asked for."
            let page = LoopbackPage.refused(["error": text], status: status)
            return Answer(page: page, end: .failure(AgentError(kind, text)))
        case .cancel:
            return Answer(page: .canceled, end: .failure(AgentError(.canceled, "The user stopped the sign-in.")))
        }
    }
}
