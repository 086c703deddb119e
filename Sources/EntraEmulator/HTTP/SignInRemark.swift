// Licensed under the MIT License. See LICENSE.

import Synchronization

/// Takes down how somebody was signed in who typed nothing, for the journal.
final class SignInRemark: Sendable {
    @TaskLocal private static var current: SignInRemark?
    private let text = Mutex<String?>(nil)

    /// Runs the body, and returns its value with the remark that was noted meanwhile.
    static func taking<Value>(_ body: () async throws -> Value) async throws -> (value: Value, remark: String?) {
        let record = SignInRemark()
        let value = try await $current.withValue(record) { try await body() }
        return (value, record.text.withLock { $0 })
    }

    static func note(_ text: String) {
        current?.text.withLock { $0 = JournalText.shortened(text) }
    }
}
