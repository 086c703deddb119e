// Licensed under the MIT License. See LICENSE.

package import Foundation
import Logging
import MSALBase

extension ServerEnvironment {
    /// Runs an operation. Its lines go to the service's logger, with the id of the request. Its measurements go to the
    /// service's metrics and traces.
    ///
    /// Every slow path runs in this function. If a listener is set already, for instance by a test, it stays.
    package func logged<Value: Sendable, Failure: Error>(
        as correlationID: UUID? = nil,
        _ operation: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await Log.$listener.withValue(Log.listener ?? listener) {
            await Log.$correlationID.withValue(correlationID ?? Log.correlationID) {
                await Instruments.$current.withValue(instruments) { await Result(catching: operation) }
            }
        }
        return try outcome.get()
    }

    /// The same for an operation that waits for nothing, such as the making of an application object.
    package func logged<Value>(_ operation: () throws(MSALTokenError) -> Value) throws(MSALTokenError) -> Value {
        let outcome = Log.$listener.withValue(Log.listener ?? listener) { Result(catching: operation) }
        return try outcome.get()
    }

    /// Hands lines to the logger. Details get the level `debug`, so that a service's log is silent while all goes well.
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
