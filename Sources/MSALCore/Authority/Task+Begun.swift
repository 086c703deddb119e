// Licensed under the MIT License. See LICENSE.

extension Task where Success == Void, Failure == Never {
    /// A task that begins on the thread of its maker, and not on another one that has to be woken for it.
    package static func begun(_ operation: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, *) { .immediate { await operation() } } else { Task { await operation() } }
    }
}
