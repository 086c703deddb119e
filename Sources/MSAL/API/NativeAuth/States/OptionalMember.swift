// Licensed under the MIT License. See LICENSE.

/// Detects whether a delegate implements an optional member.
///
/// Swift on Linux has no optional protocol members. Therefore, each optional member has a default implementation, which
/// records that the member is missing. A member that only a subclass of the conforming class declares is not called
/// because Swift binds the members of a protocol in the class that conforms to it.
@MainActor
enum OptionalMember {
    private static var isMissing = false

    /// Records that the member is missing. Every default implementation calls this.
    static func markMissing() { isMissing = true }

    /// Calls a member.
    ///
    /// Calls may nest, if a delegate runs the main loop in a member: each call has its own result.
    ///
    /// - Returns: Whether the delegate implements the member; if not, nothing happened.
    static func isPresent(_ call: () -> Void) -> Bool {
        let outer = isMissing
        defer { isMissing = outer }
        isMissing = false
        call()
        return !isMissing
    }
}
