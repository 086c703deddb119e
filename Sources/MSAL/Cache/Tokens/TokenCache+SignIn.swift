// Licensed under the MIT License. See LICENSE.

import MSALBase
import SealedStore

/// The sign-in of an account whose tokens somebody else keeps: the identity broker of the machine.
extension TokenCache {
    /// Stores the names of an account and that it is signed in, without any token. Nothing is written if the store says so
    /// already.
    ///
    /// `isSignIn`: Whether the user just signed in. Otherwise the account may have been signed out meanwhile, and it
    /// stays signed out.
    ///
    /// - Returns: Whether the account is in the store now.
    func saveAccount(_ save: TokenSave, isSignIn: Bool) throws(StoreError) -> Bool {
        let clientID = clientID
        let isKnown = try store.read { (store) throws(StoreError) -> Bool in try store.knows(save, clientID: clientID) }
        if isKnown { return true }
        return try store.write(.normal) { (transaction) throws(StoreError) -> Bool in
            let known = try transaction.accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
            guard isSignIn || known?.signInState != .signedOut else {
                Log.info("The account was not stored: it was signed out meanwhile.")
                return false
            }
            if let account = save.accountRecord { try transaction.merge(account, keepingUser: false) }
            let app = RecordFilter(.appMetadata, clientID: clientID, environments: save.environments)
            if try transaction.appMetadata(app).isEmpty {
                try transaction.save(
                    .appMetadata(AppMetadataRecord(clientID: clientID, environment: save.environment, familyID: nil))
                )
            }
            try transaction.setAccountMetadata(
                (known ?? AccountMetadata()).notingSignIn(save),
                clientID: clientID,
                homeAccountID: save.homeAccountID
            )
            return true
        }
    }

    /// Forgets whether the client signed the account in or out, and its names if no client uses them.
    func forgetSignIn(homeAccountID: String) throws(StoreError) {
        let clientID = clientID
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.setAccountMetadata(AccountMetadata(), clientID: clientID, homeAccountID: homeAccountID)
            try transaction.forgetNamesUnlessUsed(homeAccountID: homeAccountID)
        }
    }
}

extension TokenStoreReading {
    /// Whether a sign-in would change nothing but the time.
    fileprivate func knows(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool {
        guard let metadata = try accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID),
            metadata.signInState == .signedIn, metadata.notingSignIn(save) == metadata,
            let account = save.account, case .account(let held) = try record(account.identity)
        else { return false }
        var merged = account.merged(over: held)
        merged.lastModified = held.lastModified
        return merged == held
    }
}
