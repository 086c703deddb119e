// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

// Whether sign-ins of the command will be stored, found by trying.
extension CacheTarget {
    /// Fails where a sign-in of the command would not outlive it, before anybody is sent to a browser for nothing. The
    /// desktop may ask for the password of a locked keyring, as the sign-in may.
    ///
    /// - Throws: `Failure` with the status of the store's error; `CancellationError` if the task was cancelled meanwhile.
    static func checkThatSignInsLast(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        do throws(Failure) {
            try await tryWriting(mayAskToUnlock: true, environment)
        } catch {
            try Task.checkCancellation()
            throw Failure.wouldNotLast(error)
        }
        try Task.checkCancellation()
    }

    /// Why sign-ins of the command do not outlive it, in words; `nil` if now they would.
    static func refusal(environment: [String: String] = ProcessInfo.processInfo.environment) async -> String? {
        do throws(Failure) {
            try await tryWriting(mayAskToUnlock: false, environment)
            return nil
        } catch {
            return error.message
        }
    }

    private static func tryWriting(mayAskToUnlock: Bool, _ environment: [String: String]) async throws(Failure) {
        let target = try CacheTarget(
            group: Settings.applicationID,
            mayAskToUnlock: mayAskToUnlock,
            environment: environment
        )
        try await target.run { try await $0.checkWriting() }
    }
}
