// Licensed under the MIT License. See LICENSE.

import MSALServer
import Testing

/// The error that `body` throws. A body that does not throw fails the test.
nonisolated(nonsending) func failure<Value>(
    of body: () async throws(MSALTokenError) -> Value,
    at location: SourceLocation = #_sourceLocation
) async throws -> MSALTokenError {
    do throws(MSALTokenError) {
        let value = try await body()
        Issue.record("No error was thrown, but \(value) returned.", sourceLocation: location)
        throw MSALTokenError(.configuration, message: "No error was thrown.")
    } catch {
        return error
    }
}
