// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport
import SealedStore

/// A token response and the rules by which it is filed, now or later.
struct ResponseFiling: Sendable {
    /// Normalised.
    let clientID: String
    let save: TokenSave
    /// Files the response. Runs once for each attempt.
    let file: @Sendable (any TokenStoreWriting) throws(StoreError) -> TokenSaved

    /// Whether the user, not a stored refresh token, stands behind the response.
    var isSignIn: Bool { save.redeemedRefreshToken == nil }

    /// Client, account and tokens the response is about.
    private var subject: [String] {
        let token = save.accessToken
        return [
            clientID, save.homeAccountID, save.environment, save.realm, token?.tokenType ?? "", token?.target ?? "",
        ]
    }

    /// Whether nothing of `older` is missed if this response is filed without it: a refresh does not stand for the
    /// sign-in it builds on, nor a response without a refresh token for one that has it.
    func standsFor(_ older: ResponseFiling) -> Bool {
        subject == older.subject
            && (isSignIn || !older.isSignIn)
            && (save.refreshToken != nil || older.save.refreshToken == nil)
    }

    func signInNote(in store: any TokenStoreReading) throws(StoreError) -> SignInNote {
        let metadata = try store.accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
        let record = AccountMetadataRecord(clientID: clientID, homeAccountID: save.homeAccountID)
        return SignInNote(
            state: metadata?.signInState ?? .unknown,
            changeNumber: try store.changeNumber(of: record.identity)
        )
    }

    /// The refresh tokens that filing the response replaces: the client's own; with a family's token, the family's.
    func refreshTokens(in store: any TokenStoreReading) throws(StoreError) -> [RefreshTokenRecord] {
        let held = try store.refreshTokens(
            RecordFilter(
                .refreshToken,
                homeAccountID: save.homeAccountID,
                environments: save.environments + [save.environment]
            )
        )
        let families = [save.familyID, save.redeemedRefreshToken?.familyID]
        return held.filter {
            $0.clientID.normalizedKey == clientID || ($0.familyID != nil && families.contains($0.familyID))
        }
    }
}

/// What a store says of an account's sign-in. The number tells two sign-outs apart.
struct SignInNote: Sendable, Equatable {
    let state: SignInState
    let changeNumber: Int64?
}

/// A response that waits in memory, with what was known of its account when it came: another process may sign the
/// account out or in meanwhile, and what the user did last counts.
struct KeptResponse: Sendable {
    let filing: ResponseFiling
    /// What the store beneath said of the account; `nil` if it could not be asked yet.
    fileprivate var note: SignInNote?
    /// The refresh tokens that were there before, in the store beneath or in memory.
    private var known: Set<Secret>

    init(_ filing: ResponseFiling, over transaction: OverlayTransaction) throws(StoreError) {
        self.filing = filing
        known = Set(try filing.refreshTokens(in: transaction).map(\.secret))
        if let redeemed = filing.save.redeemedRefreshToken { known.insert(redeemed.secret) }
        if let base = transaction.base { try note(base) }
    }

    /// Files the response.
    ///
    /// - Returns: Whether it was filed.
    func replay(in transaction: any TokenStoreWriting) throws(StoreError) -> Bool {
        try filing.file(transaction).isPersisted
    }

    /// The same response, which knows what `store` has of its account now.
    func noting(_ store: any TokenStoreReading) throws(StoreError) -> KeptResponse {
        var response = self
        try response.note(store)
        return response
    }

    private mutating func note(_ store: any TokenStoreReading) throws(StoreError) {
        note = try filing.signInNote(in: store)
        known.formUnion(try filing.refreshTokens(in: store).map(\.secret))
    }

    /// Whether the account was signed out or removed after the response came, or somebody stored a refresh token.
    ///
    /// What was not there when the store was looked at came later, whatever the clocks say. Times decide only as long
    /// as nobody could look; of two in one second the one on the disk stays, because others may use it already.
    ///
    /// `store`: The one beneath, before any kept response is filed in it: what they do is no news to each other.
    fileprivate func isOvertaken(in store: any TokenStoreReading) throws(StoreError) -> Bool {
        let current = try filing.signInNote(in: store)
        let unknown = try filing.refreshTokens(in: store).filter { !known.contains($0.secret) }
        guard let note else {
            let arrival = filing.save.now.wholeSeconds
            return unknown.contains { $0.lastModified.map { $0 >= arrival } == true }
        }
        return !unknown.isEmpty || (current != note && current.state != .signedIn)
    }
}

extension [KeptResponse] {
    /// Those that the store has not gone on without. From the first look on they know what they are compared with.
    func current(in store: any TokenStoreReading) throws(StoreError) -> [KeptResponse] {
        var current: [KeptResponse] = []
        for response in self where try !response.isOvertaken(in: store) {
            current.append(response.note == nil ? try response.noting(store) : response)
        }
        return current
    }

    /// Files all of them; returns those that could be.
    func replay(in transaction: any TokenStoreWriting) throws(StoreError) -> [KeptResponse] {
        var filed: [KeptResponse] = []
        for response in self where try response.replay(in: transaction) { filed.append(response) }
        return filed
    }
}

extension TokenStore {
    /// Files a token response; where the store has memory for that, also if it cannot be written now.
    func fileResponse(_ filing: ResponseFiling, _ durability: Durability) throws(StoreError) -> TokenSaved {
        guard let overlay = self as? OverlayStore else { return try write(durability, body: filing.file) }
        return try overlay.file(filing, durability)
    }
}
