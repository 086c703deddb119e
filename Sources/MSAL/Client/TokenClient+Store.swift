// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALSupport
package import SealedStore

extension TokenClient {
    /// Opens the store and has its key fetched, away from the threads of Swift's tasks: the session bus may take two
    /// seconds, and the user, where the app lets them be asked, a minute. Costs nothing once the store is open.
    ///
    /// - Throws: `.store` if the store or its key cannot be had; `.canceled` if the calling task was cancelled.
    package func prepareStore(for use: StoreUse) async throws(AuthError) {
        let store = cache.store
        guard !store.isPrepared else { return }
        let flag = AtomicFlag()
        let patience = KeyPatience(mayPrompt: configuration.mayAskToUnlock, isCanceled: { flag.isSet })
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

    /// The store's counter of changes; `nil` if the store cannot be read.
    func changeCounter() -> Int64? { try? cache.store.changeCounter() }
}
