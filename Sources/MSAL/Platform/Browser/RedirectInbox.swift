// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// The redirects that the desktop delivered to the app, for the visits that wait for them.
///
/// The whole process shares one inbox because the app's URL handler does not know which application object started the
/// sign-in.
package final class RedirectInbox: Sendable {
    /// The inbox of this process.
    package static let shared = RedirectInbox()

    private struct Waiting {
        let id: Int
        let redirect: URL
        let state: String
        let receive: @Sendable ([String: String]) -> Void
    }

    private struct Visits {
        var next = 0
        var waiting: [Waiting] = []
    }

    private let visits = Mutex(Visits())

    package init() {}

    /// Delivers a redirect to the visit with its state, which then ends. A redirect without a visit is dropped because
    /// any web page and any program can open a URL of the app.
    ///
    /// - Returns: Whether a visit waited for it. If not, the URL does not belong to a sign-in, or another process waits
    ///   for it.
    package func deliver(_ url: URL) -> Bool {
        let parameters = RedirectParameters.parse(url)
        let (isExpected, receiver) = visits.withLock { visits -> (Bool, Waiting?) in
            let candidates = visits.waiting.filter { url.isRedirect(to: $0.redirect) }
            let chosen = candidates.first { constantTimeEqual($0.state, to: parameters["state"] ?? "") }
            if let chosen { visits.waiting.removeAll { $0.id == chosen.id } }
            return (!candidates.isEmpty, chosen)
        }
        if isExpected, receiver == nil {
            Log.warning("A redirect was dropped because its state matches no sign-in here. The sign-in continues.")
        }
        receiver?.receive(parameters)
        return receiver != nil
    }

    /// Registers a visit. `receive` is called at most once. The returned function removes the visit.
    func wait(
        for redirect: URL,
        state: String,
        receive: @escaping @Sendable ([String: String]) -> Void
    ) -> @Sendable () -> Void {
        let id = visits.withLock { visits in
            visits.next += 1
            visits.waiting.append(Waiting(id: visits.next, redirect: redirect, state: state, receive: receive))
            return visits.next
        }
        return { [self] in visits.withLock { $0.waiting.removeAll { $0.id == id } } }
    }
}
