// Licensed under the MIT License. See LICENSE.

/// Polls until a condition holds that is not signaled. The test's time limit ends the wait.
package func until(_ condition: @autoclosure () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
