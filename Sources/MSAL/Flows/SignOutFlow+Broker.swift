// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

extension SignOutFlow {
    /// The part of a sign-out that the broker has: it forgets the account for this client. On a shared device that signs
    /// the user out of the device, for all apps.
    ///
    /// Nothing is asked where no broker may be used. An account that the broker does not know is not an error.
    ///
    /// - Throws: What the broker reports, on a shared device: the user may be signed in there still. Elsewhere a failure
    ///   is logged.
    package func onDevice(_ request: SignOutRequest) async throws(AuthError) {
        guard let homeAccountID = request.account.homeAccountID,
            await access.isAvailable(for: authorityRules.configured)
        else { return }
        do throws(BrokerFailure) {
            let listed = try await access.listedAccounts(
                for: authorityRules.configured,
                correlationID: request.correlationID
            )
            guard let account = listed.account(homeAccountID) else { return }
            try await access.broker.remove(account, clientID: clientID, correlationID: request.correlationID)
        } catch {
            guard await isDeviceShared(request.correlationID) else {
                Log.warning("The identity broker did not forget the account: \(error.message)")
                return
            }
            throw AuthError(error).correlated(request.correlationID)
        }
        access.known.forget(homeAccountID: homeAccountID)
        guard await isDeviceShared(request.correlationID) else { return }
        await noteSignOutOfDevice(homeAccountID)
    }

    private func isDeviceShared(_ correlationID: UUID) async -> Bool {
        do throws(BrokerFailure) {
            return try await access.broker.information(correlationID: correlationID).device?.isShared ?? false
        } catch {
            Log.info("Whether the device is shared is not known: \(error.message)")
            return false
        }
    }

    /// Forgets that the user signed out of this app: the device signed the user out, and the next user who signs in to
    /// the device is also signed in here.
    @concurrent private func noteSignOutOfDevice(_ homeAccountID: String) async {
        do {
            try store.cache.forgetSignIn(homeAccountID: homeAccountID)
        } catch {
            Log.warning("The sign-out of the device could not be noted: \(error.message)")
        }
    }
}
