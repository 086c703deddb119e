// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore

/// The store that a cache command works on.
struct CacheTarget {
    let location: StoreLocation
    let store: SQLiteStore
    let keys: StoreKeys
    let environment: [String: String]

    /// The file of a group, as an app of that group would find it. Never one in memory: what is imported must last.
    ///
    /// - Throws: `Failure` with the status `usage` if the environment and the group give no path, or MSAL_STORE_KEY is
    ///   no way to keep a key in a file; with `store` if the place cannot be used.
    init(
        group: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        self.environment = environment
        do throws(StoreError) {
            location = try StoreLocation(group: group, environment: environment)
            let choice = try StoreKeyChoice.automatic.resolved(environment)
            guard choice != .memory else {
                throw StoreError(
                    .invalidLocation,
                    message: "With MSAL_STORE_KEY=memory there is no store that would last."
                )
            }
            keys = StoreKeys(choice, environment: environment)
            store = SQLiteStore(location: location, keys: keys)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether sign-ins of the command outlive it: without a place for a file, and if so chosen, the library keeps them
    /// in memory.
    static func lasts(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        // Why there is no such store is told by `msal cache doctor`.
        (try? CacheTarget(group: Settings.applicationID, environment: environment)) != nil
    }

    /// The store for who changes its protection. What MSAL_STORE_KEY asks for does not hinder that; but where it says
    /// where the present key is, or that there is none, it counts.
    var storeToMove: SQLiteStore {
        switch keys.choice {
        case .automatic, .credentialFile, .none, .memory: store
        case .secretService, .keyFile:
            SQLiteStore(location: location, keys: StoreKeys(.automatic, environment: environment))
        }
    }

    /// Whether there is a file.
    var exists: Bool { access(location.file, F_OK) == 0 }

    /// Runs one operation on the store.
    ///
    /// - Throws: `Failure` with the status `store`.
    func run<R>(_ operation: (SQLiteStore) throws(StoreError) -> R) throws(Failure) -> R {
        do throws(StoreError) {
            return try operation(store)
        } catch {
            throw Failure(error)
        }
    }

    /// - Throws: `Failure` with the status `store` if there is no file: most likely the group is another one.
    func checkExistence() throws(Failure) {
        guard !exists else { return }
        throw Failure(
            StoreError(.unreadable, message: "There is no token store at \(location.file)."),
            remedy: "The first sign-in makes it. For an app's store name its group: --group msal.shared"
        )
    }
}

extension Failure {
    /// A store that failed. Its message has a remedy already.
    init(_ error: StoreError, remedy: String? = nil) {
        self.init(
            status: error.exit,
            code: MSALError.internal.rawValue,
            internalCode: error.isSetting
                ? MSALInternalError.internalErrorInvalidParameter.rawValue
                : MSALInternalError.internalErrorUnexpected.rawValue,
            message: error.message,
            remedy: remedy
        )
    }
}

extension StoreError {
    /// How a command ends because of it.
    var exit: CommandExit { isSetting ? .usage : .store }
}

extension KeyProviderKind {
    /// The name by which people choose it: that of `--to` and MSAL_STORE_KEY.
    var choiceName: String {
        switch self {
        case .secretService: "secret-service"
        case .keyFile: "key-file"
        case .credentialFile: "credential-file"
        case .none: "none"
        }
    }
}

extension RecordKind {
    /// The kind in words, for people.
    func words(_ count: Int) -> String {
        let one =
            switch self {
            case .accessToken: "access token"
            case .refreshToken: "refresh token"
            case .idToken: "id token"
            case .account: "account"
            case .appMetadata: "app note"
            case .accountMetadata: "sign-in note"
            }
        return "\(count) \(one)\(count == 1 ? "" : "s")"
    }

    /// The kind as a member of JSON; part of the command's interface.
    var memberName: String {
        switch self {
        case .accessToken: "access_tokens"
        case .refreshToken: "refresh_tokens"
        case .idToken: "id_tokens"
        case .account: "accounts"
        case .appMetadata: "app_metadata"
        case .accountMetadata: "account_metadata"
        }
    }

    /// Tokens first, as people ask for them.
    static let shown: [RecordKind] = [
        .accessToken, .refreshToken, .idToken, .account, .appMetadata, .accountMetadata,
    ]
}
