// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

// Finds out, by trying, whether the command's sign-ins will be stored.
extension CacheTarget {
    /// Throws if the tokens of a sign-in could not be stored. It is called before the browser opens, so that a user
    /// does not sign in for nothing.
    ///
    /// `mayAskToUnlock`: Whether the desktop may ask for the password of a locked keyring. It is the same as for the
    /// sign-in.
    ///
    /// - Throws: `Failure` with the status of the store's error; `CancellationError` if the task was canceled
    ///   meanwhile.
    static func checkThatSignInsLast(
        mayAskToUnlock: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        do throws(Failure) {
            try await tryWriting(mayAskToUnlock: mayAskToUnlock, environment)
        } catch {
            try Task.checkCancellation()
            throw Failure.notPersisted(error)
        }
        try Task.checkCancellation()
    }

    /// The reason why the tokens of a sign-in cannot be stored; `nil` if they can be stored now.
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
