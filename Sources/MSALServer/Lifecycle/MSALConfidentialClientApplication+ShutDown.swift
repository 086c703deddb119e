// Licensed under the MIT License. See LICENSE.

extension MSALConfidentialClientApplication {
    /// Waits for the background work of the calls: refreshes ahead of time, and writes to the store that instances
    /// share.
    ///
    /// Call it when the process is to end and no more requests come in. The object stays usable.
    ///
    /// - Parameter limit: The time that it may take. What has not ended by then goes on until the process ends.
    /// - Returns: Whether all work has ended.
    @discardableResult
    public func shutDown(within limit: Duration) async -> Bool {
        await environment.background.finish(within: limit, time: environment.time)
    }
}
