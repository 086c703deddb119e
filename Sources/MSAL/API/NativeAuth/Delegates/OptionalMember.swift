// Licensed under the MIT License. See LICENSE.

/// Tells whether a delegate has an optional member.
///
/// Swift on Linux has no optional protocol members. So each optional member has a default implementation, which makes a
/// note here. A member that only a subclass of the adopting class declares is not called, because Swift binds the
/// members of a protocol in the class that adopts it.
@MainActor
enum OptionalMember {
    private static var isMissing = false

    /// Notes that the member is missing. Every default implementation does this.
    static func markMissing() {
        isMissing = true
    }

    /// Calls a member.
    ///
    /// Calls may nest, if a delegate runs the main loop in a member: each call has its own result.
    ///
    /// - Returns: Whether the delegate has the member; if not, nothing happened.
    static func isPresent(_ call: () -> Void) -> Bool {
        let outer = isMissing
        defer { isMissing = outer }
        isMissing = false
        call()
        return !isMissing
    }
}
