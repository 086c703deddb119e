// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase
import MSALCore
import SealedStore

/// The token store for the flows. It converts the store's errors to the client's.
struct ClientStore: Sendable {
    let cache: TokenCache
    /// Whether the user may be asked to unlock the place where the store's key is.
    let mayAskToUnlock: Bool

    /// Opens the store and has its key fetched, away from the threads of Swift's tasks: the session bus may take two
    /// seconds, and the user, where the app lets them be asked, a minute. If the store is open, the call costs
    /// nothing.
    ///
    /// - Throws: `.store` if the store or its key is unavailable; `.canceled` if the calling task was canceled.
    func prepare(for use: StoreUse) async throws(AuthError) {
        let store = cache.store
        guard !store.isPrepared else { return }
        let endWait = CallTimer.begin(.store)
        defer { endWait() }
        try await Self.work(mayAskToUnlock: mayAskToUnlock) { (keyAccess) throws(StoreError) in
            try store.prepare(keyAccess, for: use)
        }
    }

    /// Runs work that may wait for the disk, the keyring or a person, away from the threads of Swift's tasks.
    ///
    /// - Throws: `.store` with the failure of the work; `.canceled` if the calling task was canceled.
    static func work<Value: Sendable>(
        mayAskToUnlock: Bool,
        _ body: @escaping @Sendable (KeyAccessOptions) throws(StoreError) -> Value
    ) async throws(AuthError) -> Value {
        let flag = AtomicFlag()
        let keyAccess = KeyAccessOptions(mayPrompt: mayAskToUnlock, isCanceled: { flag.isSet })
        let run = Log.carried { Result { () throws(StoreError) in try body(keyAccess) } }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
                DispatchQueue.global().async { continuation.resume(returning: run()) }
            }
        } onCancel: {
            flag.set()
        }
        switch outcome {
        case .success(let value): return value
        case .failure where flag.isSet:
            throw AuthError(.canceled, message: "The call was canceled while it waited for the token store.")
        case .failure(let error): throw AuthError(error)
        }
    }

    /// Runs a call of the cache and turns its failure into the client's error.
    func run<Value>(_ body: (TokenCache) throws(StoreError) -> Value) throws(AuthError) -> Value {
        try AuthError.ofStore { () throws(StoreError) in try body(cache) }
    }

    /// Whether the user signed the account out of this app.
    ///
    /// - Throws: `.store` if the store cannot be read; `.canceled`.
    @concurrent func isSignedOut(_ homeAccountID: String) async throws(AuthError) -> Bool {
        try await prepare(for: .reading)
        let metadata = try run { (cache) throws(StoreError) in try cache.metadata(homeAccountID: homeAccountID) }
        return metadata?.signInState == .signedOut
    }
}

extension AuthorityResolver {
    /// Requests an authority's metadata, unless they are known.
    ///
    /// - Throws: The client's error for what went wrong.
    func resolve(
        _ authority: Authority,
        by rules: ClientConfiguration.AuthorityRules,
        correlationID: UUID
    ) async throws(AuthError) -> ResolvedAuthority {
        do {
            return try await resolve(authority, policy: rules.policy, correlationID: correlationID)
        } catch {
            throw AuthError(error)
        }
    }
}
