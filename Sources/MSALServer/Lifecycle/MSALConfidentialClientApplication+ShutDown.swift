// Licensed under the MIT License. See LICENSE.

extension MSALConfidentialClientApplication {
    /// Waits for background work: proactive token refreshes, and writes to the shared store.
    ///
    /// Call it before the process exits, when no more requests come in. The object remains usable.
    ///
    /// - Parameter limit: The maximum time to wait. Unfinished work continues until the process exits.
    /// - Returns: Whether all work has finished.
    @discardableResult
    public func shutDown(within limit: Duration) async -> Bool {
        await environment.background.finish(within: limit, time: environment.time)
    }
}
