// Licensed under the MIT License. See LICENSE.

import MSAL
import Synchronization

/// Whether somebody watches a sign-in. One that nobody watches ends if no browser could be started: nobody would open the
/// page.
final class Watch: Sendable {
    private let isUnattended: Bool
    private let isOver = Mutex(false)

    /// - Parameter isUnattended: Whether nobody can be asked, and nobody wanted the browser by name.
    init(isUnattended: Bool) { self.isUnattended = isUnattended }

    /// Whether the sign-in was ended here.
    var hasGivenUp: Bool { isOver.withLock { $0 } }

    /// Ends the sign-in if nobody watches it, after its browser failed.
    ///
    /// - Returns: Whether it did.
    func givesUp() -> Bool {
        guard isUnattended else { return false }
        isOver.withLock { $0 = true }
        _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
        return true
    }
}
