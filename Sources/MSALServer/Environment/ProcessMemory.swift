// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The memory that the objects of one process share: the tokens of the machine's identity, and what was found out about
/// the machine.
///
/// Each subject has a part of its own. A test has a memory of its own.
package final class ProcessMemory: Sendable {
    /// The memory of this process.
    package static let shared = ProcessMemory()

    private let parts = Mutex<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The part of a type. The first call makes it.
    package func part<Part: Sendable>(_ type: Part.Type, make: () -> Part) -> Part {
        parts.withLock { parts in
            if let known = parts[ObjectIdentifier(type)] as? Part { return known }
            let part = make()
            parts[ObjectIdentifier(type)] = part
            return part
        }
    }
}
