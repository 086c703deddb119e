// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase
import MSALCore
import SealedStore

/// The token store as a flow sees it: its failures are the client's.
struct ClientStore: Sendable {
    let cache: TokenCache
    /// Whether the user may be asked to unlock the place where the store's key is.
    let mayAskToUnlock: Bool

    /// Opens the store and has its key fetched, away from the threads of Swift's tasks: the session bus may take two
    /// seconds, and the user, where the app lets them be asked, a minute. Costs nothing once the store is open.
    ///
    /// - Throws: `.store` if the store or its key cannot be had; `.canceled` if the calling task was cancelled.
    func prepare(for use: StoreUse) async throws(AuthError) {
        let store = cache.store
        guard !store.isPrepared else { return }
        let flag = AtomicFlag()
        let patience = KeyPatience(mayPrompt: mayAskToUnlock, isCanceled: { flag.isSet })
        let prepare = Log.carried { Result { () throws(StoreError) in try store.prepare(patience, for: use) } }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, StoreError>, Never>) in
                DispatchQueue.global().async { continuation.resume(returning: prepare()) }
            }
        } onCancel: {
            flag.set()
        }
        guard case .failure(let error) = outcome else { return }
        if flag.isSet {
            throw AuthError(.canceled, message: "The call was cancelled while the token store was being opened.")
        }
        throw AuthError(error)
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
    /// Asks the service about an authority, where nothing is known yet.
    ///
    /// - Throws: The client's error for what went wrong.
    func resolve(
        _ authority: Authority,
        for configuration: ClientConfiguration,
        correlationID: UUID
    ) async throws(AuthError) -> ResolvedAuthority {
        do {
            return try await resolve(authority, policy: configuration.authorityPolicy, correlationID: correlationID)
        } catch {
            throw AuthError(error)
        }
    }
}
