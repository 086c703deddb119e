// Licensed under the MIT License. See LICENSE.

extension Task where Success == Void, Failure == Never {
    /// A task that starts on the current thread instead of waking another one.
    package static func begun(_ operation: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, *) { .immediate { await operation() } } else { Task { await operation() } }
    }
}
