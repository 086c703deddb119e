// Licensed under the MIT License. See LICENSE.

import MSAL
import Synchronization

/// Whether somebody watches a sign-in. If nobody watches and no browser could be started, the sign-in ends, because
/// nobody would open the page.
final class AttendanceMonitor: Sendable {
    private let isUnattended: Bool
    private let isOver = Mutex(false)

    /// - Parameter isUnattended: Whether nobody can be asked, and the user did not choose how to sign in.
    init(isUnattended: Bool) { self.isUnattended = isUnattended }

    /// Whether this object ended the sign-in.
    var hasCanceled: Bool { isOver.withLock { $0 } }

    /// Called after the browser failed to start. If nobody watches the sign-in, this ends it.
    ///
    /// - Returns: Whether the sign-in was ended.
    func cancelIfUnattended() -> Bool {
        guard isUnattended else { return false }
        isOver.withLock { $0 = true }
        _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
        return true
    }
}
