// Licensed under the MIT License. See LICENSE.

package import Foundation
import Logging
import MSALBase

extension ServerEnvironment {
    /// Runs an operation whose lines go to the service's logger, and belong to the request of this id. What it measures
    /// goes to the service's metrics and traces.
    ///
    /// Every slow path runs in it. A listener that is set already, as a test sets it, stays.
    package func logged<Value: Sendable, Failure: Error>(
        as correlationID: UUID? = nil,
        _ operation: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await Log.$listener.withValue(Log.listener ?? listener) {
            await Log.$correlationID.withValue(correlationID ?? Log.correlationID) {
                await Instruments.$current.withValue(instruments) {
                    do throws(Failure) {
                        return .success(try await operation())
                    } catch {
                        return .failure(error)
                    }
                }
            }
        }
        return try outcome.get()
    }

    /// The same for an operation that waits for nothing, such as the making of an application object.
    package func logged<Value>(_ operation: () throws(MSALTokenError) -> Value) throws(MSALTokenError) -> Value {
        let outcome = Log.$listener.withValue(Log.listener ?? listener) { Result(catching: operation) }
        return try outcome.get()
    }

    /// Hands lines to the logger. Details are of its level `debug`, so that a service's log is silent while all goes well.
    private var listener: Log.Listener {
        Log.Listener { [logger] level, message in
            let metadata: Logger.Metadata? = Log.correlationID.map { ["correlation-id": "\($0.uuidString)"] }
            logger.log(level: Logger.Level(level), "\(message)", metadata: metadata)
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: Log.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .info
        case .verbose: self = .debug
        }
    }
}
