// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension ServerEnvironment {
    /// Runs a call that may take `limit`; without one it takes as long as its requests do.
    ///
    /// - Throws: `.network` with `NSURLErrorDomain` -1001 when the time is over; the failures of the call.
    package func limited<Value: Sendable>(
        to limit: Duration?,
        _ call: @escaping @Sendable () async throws(MSALTokenError) -> Value
    ) async throws(MSALTokenError) -> Value {
        guard let limit else { return try await call() }
        let outcome = await withTaskGroup(of: Result<Value, MSALTokenError>?.self) { group in
            group.addTask { await Result(catching: call) }
            group.addTask { [time] in
                // A canceled sleep returns `nil`, too. But then the call has ended, or no caller waits for it.
                try? await time.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard !Task.isCancelled else { throw .cancellation }
        guard let outcome else { throw .timedOut(limit) }
        return try outcome.get()
    }
}

extension MSALTokenError {
    fileprivate static func timedOut(_ limit: Duration) -> MSALTokenError {
        let text =
            "No token came within \(limit.formatted(.units(allowed: [.seconds, .milliseconds], width: .wide))), "
            + "the time limit of the call. Try again, or raise the limit."
        let cause = NSError(domain: NSURLErrorDomain, code: -1001, userInfo: [NSLocalizedDescriptionKey: text])
        return MSALTokenError(.network, message: text, underlying: [cause])
    }
}
