// Licensed under the MIT License. See LICENSE.

/// Waits until a condition holds that nobody reports. A test that is out of time ends the wait.
package func until(_ condition: @autoclosure () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
