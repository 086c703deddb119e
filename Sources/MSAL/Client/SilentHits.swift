// Licensed under the MIT License. See LICENSE.

import MSALSupport
import SealedStore

/// The part of a client that serves silent requests from memory.
///
/// It is synchronous, so that a call from the main actor changes no thread. It is an object with constants of its own,
/// because a copy of the whole client costs as much as a hit.
final class SilentHits: Sendable {
    private let memory: ClientMemory
    private let store: any TokenStore
    private let time: any TimeSource
    private let buffer: Duration

    init(of client: TokenClient) {
        memory = client.memory
        store = client.cache.store
        time = client.platform.time
        buffer = client.configuration.tokenExpirationBuffer
    }

    /// The token that served such a request, if the store has not changed since and the token is still good. Otherwise
    /// ``TokenClient/acquireSilently(_:)`` must be asked: for every fault too.
    func result(for request: SilentRequest, validatesAuthority: Bool) -> TokenResult? {
        guard !request.forceRefresh, request.token.proof == nil, let account = request.account,
            account.homeAccountID?.isEmpty == false, store.isPrepared
        else { return nil }
        let identity = RequestIdentity(
            account: account,
            authority: request.token.authority,
            scopes: request.token.scopes,
            claims: request.token.claims,
            isAuthorityValidated: validatesAuthority
        )
        guard identity.claims == nil, let counter = try? store.changeCounter(),
            let token = memory.token(for: identity, at: counter),
            token.life.state(at: time.now, buffer: buffer) == .usable
        else { return nil }
        return token.result(correlationID: request.token.correlationID)
    }
}
