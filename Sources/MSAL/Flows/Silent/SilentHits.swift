// Licensed under the MIT License. See LICENSE.

import MSALBase
import SealedStore

/// Decides whether memory serves a silent request, in one place for calls that wait and calls that cannot.
///
/// It is synchronous: a call from the main actor stays on the main thread, which saves time. It is an object with
/// constants of its own, so that a hit counts no reference to the client, which all threads share. Calls that cannot wait
/// come with the identity that their parameters keep; parameters that memory may not serve have none.
final class SilentHits: Sendable {
    private let memory: ClientMemory
    private let store: any TokenStore
    private let time: any TimeSource
    private let buffer: Duration

    init(memory: ClientMemory, store: any TokenStore, time: any TimeSource, buffer: Duration) {
        self.memory = memory
        self.store = store
        self.time = time
        self.buffer = buffer
    }

    /// Whether memory may serve a request at all. It serves no request for a fresh token, and none for claims.
    static func mayServe(forcesRefresh: Bool, asksForClaims: Bool) -> Bool { !forcesRefresh && !asksForClaims }

    /// The content of the memory for a request.
    struct Look {
        let identity: RequestIdentity
        /// The store's change counter, read before memory was looked at; `nil` if it could not be read.
        var counter: Int64?
        /// The token that served such a request, if the store has not changed since.
        var token: ClientMemory.Token?
        var state = AccessTokenHit.State.expired
    }

    /// The token that served such a request, if the store has not changed since and the token is still good. Otherwise
    /// ``SilentFlow/acquire(_:)`` must be asked: for every fault too.
    ///
    /// `identity`: That of a request which memory may serve.
    func token(for identity: RequestIdentity) -> GivenToken? {
        guard store.isPrepared, let counter = try? store.changeCounter(),
            let token = memory.token(for: identity, at: counter), state(of: token) == .usable
        else { return nil }
        return token.given
    }

    /// Looks for the token of a request. `account`: The request's, with its identifier.
    ///
    /// - Throws: The store's failure, if the change counter decides and cannot be read.
    @inline(__always)
    func look(
        for request: SilentRequest,
        account: AccountReference,
        validatesAuthority: Bool
    ) throws(StoreError) -> Look {
        let identity = RequestIdentity(
            account: account,
            authority: request.token.authority,
            scopes: request.token.scopes,
            claims: request.token.claims,
            keyID: request.token.keyID,
            isAuthorityValidated: validatesAuthority
        )
        guard Self.mayServe(forcesRefresh: request.forceRefresh, asksForClaims: identity.claims != nil) else {
            return Look(identity: identity, counter: try? store.changeCounter())
        }
        let counter = try store.changeCounter()
        guard let token = memory.token(for: identity, at: counter) else {
            return Look(identity: identity, counter: counter)
        }
        return Look(identity: identity, counter: counter, token: token, state: state(of: token))
    }

    func state(of token: ClientMemory.Token) -> AccessTokenHit.State {
        token.life.state(at: time.now, buffer: buffer)
    }
}
