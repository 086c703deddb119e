// Licensed under the MIT License. See LICENSE.

package import Foundation
private import Synchronization

/// Passes the library's log lines to the receiver that the app installed; silent until then.
package enum Log {
    /// Increases with the amount of detail; the raw values are those of the public log level.
    package enum Level: Int, Sendable, Comparable {
        case error = 1
        case warning, info, verbose

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The request that the lines of this task belong to; child tasks inherit it.
    @TaskLocal package static var correlationID: UUID?

    /// Runs an operation whose lines, including those of its child tasks, belong to the request `id`.
    ///
    /// Every call of the public API runs in it. It is inlinable, so that the compiler specializes it for the result.
    /// The operation runs on the caller's actor.
    @inlinable package static func lines<Value, Failure: Error>(
        of id: UUID?,
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // `withValue` does not support typed errors.
        let outcome: Result<Value, Failure> = await $correlationID.withValue(id) {
            // This use isolates the closure. Without it, each call from the main actor would switch threads twice.
            _ = isolation
            do throws(Failure) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The same for a synchronous operation.
    @inlinable package static func lines<Value, Failure: Error>(
        of id: UUID?,
        _ operation: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let outcome = $correlationID.withValue(id) { Result(catching: operation) }
        return try outcome.get()
    }

    /// Wraps an operation for a thread without a task, so that its lines go where the lines of this task go.
    package static func carried<Value>(_ operation: @escaping @Sendable () -> Value) -> @Sendable () -> Value {
        { [id = correlationID, heard = listener] in
            $listener.withValue(heard) { lines(of: id, operation) }
        }
    }

    /// Receives lines.
    ///
    /// A struct around the closure because a task-local value that is a closure crashes optimized builds (Swift 6.3)
    /// when it is set on a thread without a task.
    package struct Listener: Sendable {
        fileprivate let receive: @Sendable (Level, String) -> Void

        package init(_ receive: @escaping @Sendable (Level, String) -> Void) {
            self.receive = receive
        }
    }

    /// Receives the lines of this task instead of the installed receiver, so that tests can run in parallel and each
    /// gets only its own lines.
    @TaskLocal package static var listener: Listener?

    private static let sink = Mutex<(@Sendable (Level, String) -> Void)?>(nil)

    /// Sends all further lines to `receiver`; `nil` silences them.
    package static func install(_ receiver: (@Sendable (Level, String) -> Void)?) {
        sink.withLock { $0 = receiver }
    }

    package static func error(_ message: @autoclosure () -> String) { write(message, level: .error) }
    package static func warning(_ message: @autoclosure () -> String) { write(message, level: .warning) }
    package static func info(_ message: @autoclosure () -> String) { write(message, level: .info) }
    package static func verbose(_ message: @autoclosure () -> String) { write(message, level: .verbose) }

    private static func write(_ message: () -> String, level: Level) {
        guard let receiver = listener?.receive ?? sink.withLock({ $0 }) else { return }
        // A line may quote a server, whose text must not begin a second line.
        receiver(level, message().visibleLine)
    }
}
