// Licensed under the MIT License. See LICENSE.

package import MSALCore
package import MSALSupport
private import Synchronization

/// The memory of a client: which stored tokens served which requests, and the claims of stored id tokens.
///
/// A repeated request costs one look at the store's change counter, and neither the rules of authorities nor those of
/// lookups are gone through again. Whether the token is still good is decided anew each time. All of it is limited: a new
/// entry of a full table takes the place of the one that came first.
package final class ClientMemory: Sendable {
    /// How many requests are remembered: enough for a server with many users.
    package static let capacity = 4096

    /// A stored token that served a request. An object, so that handing it out copies one reference.
    package final class Token: KeyedObject {
        package let key: RequestIdentity
        let life: TokenLife
        /// The store's change counter, read before the token was looked up: a change in between then only costs a second
        /// lookup.
        fileprivate let counter: Int64
        private let result: TokenResult

        fileprivate init(_ result: TokenResult, life: TokenLife, for identity: RequestIdentity, at counter: Int64) {
            key = identity
            self.life = life
            self.counter = counter
            self.result = result
        }

        /// The result for another request of the same identity.
        func result(correlationID: UUID) -> TokenResult {
            var result = result
            result.correlationID = correlationID
            return result
        }
    }

    /// The claims of an id token.
    private final class DecodedIDToken: KeyedObject {
        let key: Secret
        let claims: IDTokenClaims

        init(_ token: Secret, claims: IDTokenClaims) {
            key = token
            self.claims = claims
        }
    }

    private struct Tables: Sendable {
        var tokens = ObjectTable<Token>(capacity: ClientMemory.capacity)
        /// Each kept once for all its tokens.
        var holders = ObjectTable<TokenHolder>(capacity: ClientMemory.capacity)
        var idTokens = ObjectTable<DecodedIDToken>(capacity: ClientMemory.capacity)
    }

    private let tables = Mutex(Tables())

    /// The token that served such a request, if the store has not changed since.
    package func token(for identity: RequestIdentity, at counter: Int64) -> Token? {
        guard let token = tables.withLock({ $0.tokens[identity] }), token.counter == counter else { return nil }
        return token
    }

    /// `result`: Made of a token out of the store.
    /// `life`: That of the token.
    func remember(_ result: TokenResult, life: TokenLife, for identity: RequestIdentity, at counter: Int64) {
        tables.withLock { tables in
            var result = result
            if let known = tables.holders[result.holder] {
                result.holder = known
            } else {
                tables.holders.insert(result.holder)
            }
            tables.tokens.insert(Token(result, life: life, for: identity, at: counter))
        }
    }

    /// The claims of a stored id token. Decoding one costs more than all the rest of a silent hit.
    package func claims(of idToken: Secret) -> IDTokenClaims? {
        if let known = tables.withLock({ $0.idTokens[idToken] }) { return known.claims }
        guard let claims = IDTokenClaims(compact: idToken.exposed) else { return nil }
        tables.withLock { $0.idTokens.insert(DecodedIDToken(idToken, claims: claims)) }
        return claims
    }

    /// Forgets everything, such as the tokens of an account that is signed out.
    func forget() { tables.withLock { $0 = Tables() } }
}
