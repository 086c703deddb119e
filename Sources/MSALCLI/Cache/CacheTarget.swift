// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The store that a command works on.
struct CacheTarget {
    let store: MSALTokenStore
    let environment: [String: String]

    /// The store file of a group, as an app of that group finds it. A store in memory is never used, because imported
    /// tokens must outlive the command.
    ///
    /// - Parameters:
    ///   - group: The sharing group.
    ///   - mayAskToUnlock: Whether the desktop may ask for the password of a locked keyring.
    ///   - environment: The environment of the process; tests pass another one.
    /// - Throws: `Failure` with the status `usage` if the environment and the group give no path, or MSAL_STORE_KEY is
    ///   no way to keep a key in a file; with `store` if the place cannot be used.
    init(
        group: String,
        mayAskToUnlock: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        self.environment = environment
        do {
            store = try MSALTokenStore(group: group, allowsUnlockPrompt: mayAskToUnlock, environment: environment)
        } catch {
            throw Failure(store: error as NSError)
        }
    }

    /// Whether sign-ins persist after the command. The library keeps them in memory if there is no location for a file,
    /// or if the user chose that.
    static func isPersistent(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        // `msal cache doctor` says why there is no such store.
        (try? CacheTarget(group: Settings.applicationID, environment: environment)) != nil
    }

    /// Runs one operation on the store.
    ///
    /// - Throws: `Failure` with the status `store`.
    func run<Value>(_ operation: (MSALTokenStore) async throws -> Value) async throws(Failure) -> Value {
        do {
            return try await operation(store)
        } catch {
            throw Failure(store: error as NSError)
        }
    }

    /// - Throws: `Failure` with the status `store` if there is no file. Most likely the user meant another group.
    func checkExistence() throws(Failure) {
        guard !store.exists else { return }
        throw .store(
            "There is no token store at \(store.file).",
            remedy: "The first sign-in creates it. For an app's store, pass its group: --group msal.shared"
        )
    }
}

extension Failure {
    /// An error of the token store. `remedy` is used only if the error's message contains no remedy.
    init(store error: NSError, remedy: String? = nil) {
        self.init(error)
        self.remedy = remedy
    }
}

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
