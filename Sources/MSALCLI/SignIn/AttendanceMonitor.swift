// Licensed under the MIT License. See LICENSE.

import MSAL
import Synchronization

/// Tracks whether a sign-in is attended. An unattended sign-in ends if no browser could be started, because no user
/// would open the page.
final class AttendanceMonitor: Sendable {
    private let isUnattended: Bool
    private let isOver = Mutex(false)

    /// - Parameter isUnattended: Whether the command cannot prompt, and the user did not choose how to sign in.
    init(isUnattended: Bool) { self.isUnattended = isUnattended }

    /// Whether this object ended the sign-in.
    var hasCanceled: Bool { isOver.withLock { $0 } }

    /// Called after the browser failed to start. Ends an unattended sign-in.
    ///
    /// - Returns: Whether the sign-in was ended.
    func cancelIfUnattended() -> Bool {
        guard isUnattended else { return false }
        isOver.withLock { $0 = true }
        _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
        return true
    }
}
