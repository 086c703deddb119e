// Licensed under the MIT License. See LICENSE.

import Synchronization

extension JournalEntry {
    /// The rule behind the refusal of a request.
    public struct Refusal: Sendable, Equatable {
        /// The AADSTS number; `nil` where the service has none, as for a token that an API refuses.
        public let number: Int?
        /// The OAuth error, such as `invalid_grant`.
        public let error: String
        /// One sentence for a developer.
        public let message: String
    }
}

/// Takes down why the current request is refused, for the journal.
///
/// Pages and APIs turn a refusal into a response of their own, in which the journal could no longer read the rule.
final class RefusalRecord: Sendable {
    @TaskLocal private static var current: RefusalRecord?
    private let refusal = Mutex<JournalEntry.Refusal?>(nil)

    /// Runs the body, and returns its response with the refusal that was noted meanwhile.
    static func taking<Value>(
        _ body: () async throws -> Value
    ) async throws -> (value: Value, refusal: JournalEntry.Refusal?) {
        let record = RefusalRecord()
        let value = try await $current.withValue(record) { try await body() }
        return (value, record.refusal.withLock { $0 })
    }

    /// Notes the rule that refuses the current request.
    static func note(_ error: EntraError) {
        note(number: error.number, error: error.error, message: error.message)
    }

    /// Notes a rule, which may have no number.
    static func note(number: Int? = nil, error: String, message: String) {
        let refusal = JournalEntry.Refusal(number: number, error: error, message: JournalText.shortened(message))
        current?.refusal.withLock { $0 = refusal }
    }
}
