// Licensed under the MIT License. See LICENSE.

import Synchronization

extension JournalEntry {
    /// The rule behind the refusal of a request.
    public struct Refusal: Sendable, Equatable {
        /// The AADSTS number; `nil` if the service has none, for example when an API rejects a token.
        public let number: Int?
        /// The OAuth error, such as `invalid_grant`.
        public let error: String
        /// One sentence for developers about what was wrong.
        public let message: String

        /// The number in the format of the service, or the OAuth error if there is none.
        var rule: String { number.map { "AADSTS\($0)" } ?? error }
    }
}

/// Collects information for the journal that the response to the current request may not contain: why the request is
/// refused, and how a user was signed in without any input.
///
/// Pages and APIs write an error in their own format, from which the journal could not determine the rule.
final class RequestNotes: Sendable {
    private struct Notes {
        var refusal: JournalEntry.Refusal?
        var remark: String?
    }

    @TaskLocal private static var current: RequestNotes?
    private let notes = Mutex(Notes())

    var refusal: JournalEntry.Refusal? { notes.withLock { $0.refusal } }
    var remark: String? { notes.withLock { $0.remark } }

    /// Runs the body, and returns its value and the notes taken meanwhile.
    static func taking<Value>(_ body: () async throws -> Value) async throws -> (value: Value, notes: RequestNotes) {
        let notes = RequestNotes()
        return (try await $current.withValue(notes) { try await body() }, notes)
    }

    /// Notes the rule that refuses the current request.
    static func note(_ error: EntraError) {
        note(number: error.number, error: error.error, message: error.message)
    }

    /// Notes a rule, possibly without a number.
    static func note(number: Int? = nil, error: String, message: String) {
        let refusal = JournalEntry.Refusal(number: number, error: error, message: JournalText.shortened(message))
        current?.notes.withLock { $0.refusal = refusal }
    }

    /// Notes how a user was signed in, or what the emulator has done on behalf of a test.
    static func note(remark: String) {
        current?.notes.withLock { notes in
            guard notes.remark?.hasSuffix(remark) != true else { return }
            notes.remark = JournalText.shortened([notes.remark, remark].compactMap(\.self).joined(separator: "; "))
        }
    }
}
