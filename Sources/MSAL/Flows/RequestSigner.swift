// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Makes signed requests of tokens that are bound to this machine's key
/// (docs/reference/Protocol.md#proof-of-possession).
struct RequestSigner: Sendable {
    let keys: any ProofKeys
    let time: any TimeSource
    let random: @Sendable (_ count: Int) -> [UInt8]

    /// Runs a token request with what a proof-of-possession token needs: the key's ID before, the signature after.
    ///
    /// The token is cached as it came; the signature is made for each call, because it is good for one HTTP request
    /// and a few minutes.
    ///
    /// - Throws: `.unexpected` if there is no key or nothing can be signed; else what `acquire` throws.
    /// - SeeAlso: docs/reference/Protocol.md#proof-of-possession.
    func proven(
        _ request: TokenRequest,
        acquire: (TokenRequest) async throws(AuthError) -> TokenResult
    ) async throws(AuthError) -> TokenResult {
        guard let proof = request.proof else { return try await acquire(request) }
        let key = if let own = request.proofKey { own } else { try await proofKey() }
        var request = request
        request.keyID = key.keyID
        do {
            return try await sign(try await acquire(request), with: proof, by: key)
        } catch {
            guard case .declinedScopes(let granted, let declined, let result) = error.kind else { throw error }
            var failure = error
            let signed = try await sign(result, with: proof, by: key)
            failure.kind = .declinedScopes(granted: granted, declined: declined, result: signed)
            throw failure
        }
    }

    /// It does not run on the caller's actor: a new RSA key takes a tenth of a second, and the disk may be slow.
    @concurrent private func proofKey() async throws(AuthError) -> ProofKey {
        do {
            return try keys.key()
        } catch {
            throw AuthError(.unexpected, message: error.message)
        }
    }

    /// It does not run on the caller's actor: a key of the app's own may be in a card or behind a network.
    @concurrent private func sign(
        _ result: TokenResult,
        with proof: SignedHTTPRequest,
        by key: ProofKey
    ) async throws(AuthError) -> TokenResult {
        // A broker signs with a key of its own.
        if case .broker = result.source { return result }
        guard !result.accessToken.exposed.isEmpty else { return result }
        var signed = result
        do {
            signed.accessToken = try proof.envelope(
                of: result.accessToken,
                by: key,
                at: time.now,
                freshNonce: Base64URL.encode(random(16))
            )
        } catch {
            throw AuthError(.unexpected, message: error.message)
        }
        return signed
    }
}
