// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Runs a call of the public API with a correlation ID, which its log lines and its error contain.
///
/// `id` is that of the request. A call without one uses the ID of the enclosing call, or otherwise a new one.
///
/// - Throws: The failure as an `NSError` of the public API.
func correlated<Value>(
    _ id: UUID = Log.correlationID ?? .random(),
    call: () async throws(AuthError) -> Value
) async throws -> Value {
    do {
        return try await Log.lines(of: id, call)
    } catch {
        throw error.correlated(id).nsError
    }
}

/// The same for a synchronous call.
func correlated<Value>(
    _ id: UUID = Log.correlationID ?? .random(),
    call: () throws(AuthError) -> Value
) throws -> Value {
    do {
        return try Log.lines(of: id, call)
    } catch {
        throw error.correlated(id).nsError
    }
}
