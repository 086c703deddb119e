// Licensed under the MIT License. See LICENSE.

/// What the objects of one process share: the tokens of the machine's identity, and what was found out about the machine.
package final class ProcessMemory: Sendable {
    /// The memory of this process.
    package static let shared = ProcessMemory()

    package init() {}
}
