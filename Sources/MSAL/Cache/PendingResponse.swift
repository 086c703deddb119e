// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import SealedStore

/// A token response that waits in memory, with the state of its account when it arrived. Another process may sign the
/// account out or in meanwhile. The user's last action decides.
struct PendingResponse: Sendable {
    private let save: TokenSave
    /// The normalized client ID.
    private let clientID: String
    /// The sign-in state of the account in the underlying store; `nil` if it could not be read yet.
    fileprivate var note: SignInNote?
    /// The refresh tokens that already existed in the underlying store or in memory.
    private var known: Set<Secret>

    init(_ save: TokenSave, clientID: String, over transaction: BufferTransaction) throws(StoreError) {
        self.save = save
        self.clientID = clientID.normalizedKey
        known = Set([save.redeemedRefreshToken?.secret].compactMap(\.self))
        known.formUnion(try refreshTokens(in: transaction).map(\.secret))
        if let base = transaction.base { try readState(at: base) }
    }

    /// - Returns: Whether it was stored.
    func store(in transaction: any TokenStoreWriting) throws(StoreError) -> Bool {
        try transaction.store(save, clientID: clientID)
    }

    /// Whether this response makes `older` obsolete. A refresh does not replace the sign-in that it is based on. A
    /// response without a refresh token does not replace one that has it.
    func supersedes(_ older: PendingResponse) -> Bool {
        subject == older.subject
            && (save.redeemedRefreshToken == nil || older.save.redeemedRefreshToken != nil)
            && (save.refreshToken != nil || older.save.refreshToken == nil)
    }

    /// The client, account, and tokens that the response concerns.
    private var subject: [String] {
        let token = save.accessToken
        return [
            clientID, save.homeAccountID, save.environment, save.realm, token?.tokenType ?? "", token?.target ?? "",
        ]
    }

    /// The same response with the current state of its account in `store`.
    func noting(_ store: any TokenStoreReading) throws(StoreError) -> PendingResponse {
        var response = self
        try response.readState(at: store)
        return response
    }

    private mutating func readState(at store: any TokenStoreReading) throws(StoreError) {
        note = try signInNote(in: store)
        known.formUnion(try refreshTokens(in: store).map(\.secret))
    }

    /// Whether, after the response arrived, the account was signed out or removed, or a refresh token was stored.
    ///
    /// A record that did not exist when the store was read was stored later, whatever the clocks say. Times are
    /// compared only if the store could not be read. If both are in the same second, the record on disk stays because
    /// others may already use it.
    ///
    /// `store`: The underlying store, without any waiting response. A waiting response must not count as an outside
    /// change to another one.
    fileprivate func isSuperseded(in store: any TokenStoreReading) throws(StoreError) -> Bool {
        let current = try signInNote(in: store)
        let unknown = try refreshTokens(in: store).filter { !known.contains($0.secret) }
        guard let note else {
            let arrival = save.now.wholeSeconds
            return unknown.contains { $0.lastModified.map { $0 >= arrival } == true }
        }
        return !unknown.isEmpty || (current != note && current.state != .signedIn)
    }

    /// The sign-in state of an account in a store. The number distinguishes two sign-outs.
    fileprivate struct SignInNote: Sendable, Equatable {
        let state: SignInState
        let changeNumber: Int64?
    }

    private func signInNote(in store: any TokenStoreReading) throws(StoreError) -> SignInNote {
        let metadata = try store.accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
        let record = AccountMetadataRecord(clientID: clientID, homeAccountID: save.homeAccountID)
        return SignInNote(
            state: metadata?.signInState ?? .unknown,
            changeNumber: try store.changeNumber(of: record.identity)
        )
    }

    /// The refresh tokens that the response replaces: the client's own or, with a family's token, the family's.
    private func refreshTokens(in store: any TokenStoreReading) throws(StoreError) -> [RefreshTokenRecord] {
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

extension [PendingResponse] {
    /// The responses that the store did not overtake. Each records the account's state in the store at the first check,
    /// for later comparison.
    func current(in store: any TokenStoreReading) throws(StoreError) -> [PendingResponse] {
        var current: [PendingResponse] = []
        for response in self where try !response.isSuperseded(in: store) {
            current.append(response.note == nil ? try response.noting(store) : response)
        }
        return current
    }
}
