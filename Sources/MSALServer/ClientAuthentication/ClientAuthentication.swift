// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// Proves to a token endpoint which client sends a request (RFC 6749 §2.3, RFC 7523 §2.2).
package protocol ClientAuthentication: Sendable {
    /// The proof for one request. Each token request asks for it once. A token from the cache needs none.
    ///
    /// - Throws: `.credentialUnavailable` or `.invalidCredential`; nothing was sent then.
    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof

    /// Whether a proof is an assertion from another issuer, which may have expired, so that a retry with a new one can
    /// succeed.
    var hasForeignAssertions: Bool { get }

    /// The name in the memory of the certificate to which tokens can be bound. Usually it is the thumbprint.
    ///
    /// - Throws: `.certificateRequired` if there is none.
    func bindingKeyID() throws(MSALTokenError) -> String

    /// The name of this kind of proof in the metrics.
    var kind: ObservedCredential { get }

    /// Adds to the error of a request what only this kind of client knows.
    func explaining(_ error: MSALTokenError, ofRequest form: FormBody, to authority: Authority) -> MSALTokenError

    /// The certificate that is in use now, if its key is in this process.
    var certificate: MSALClientCertificate? { get }
}

extension ClientAuthentication {
    /// Another proof, after the service refused `proof`. It is `nil` unless the service says that the assertion is too
    /// old, or that it does not know the key of the signature, and there is another assertion.
    package func proof(
        replacing proof: ClientProof,
        after refusal: MSALTokenError,
        for context: MSALAssertionContext
    ) async throws(MSALTokenError) -> ClientProof? {
        let codes: Set = [700_024, 700_021, 700_027]
        guard hasForeignAssertions, !codes.isDisjoint(with: refusal.serviceCodes) else { return nil }
        let other = try await self.proof(for: context)
        return other.assertion == proof.assertion ? nil : other
    }

    package func explaining(
        _ error: MSALTokenError,
        ofRequest form: FormBody,
        to authority: Authority
    ) -> MSALTokenError { error }

    package var hasForeignAssertions: Bool { false }

    package var certificate: MSALClientCertificate? { nil }

    package func bindingKeyID() throws(MSALTokenError) -> String {
        throw MSALTokenError(
            .certificateRequired,
            message: "A certificate-bound token needs a certificate as the client's credential."
        )
    }
}

/// The parts of a token request by which a client proves who it is.
package enum ClientProof: Sendable {
    /// The secret, which travels in the body (RFC 6749 §2.3.1).
    case secret(Secret)
    /// A signed assertion (RFC 7523 §2.2).
    case assertion(Secret)
    /// A certificate that is shown in the TLS handshake (RFC 8705 §2).
    case certificate(MSALClientCertificate)
    /// An assertion, and the certificate to which it is bound, which is shown in the TLS handshake.
    case boundAssertion(Secret, MSALClientCertificate)

    /// Adds the proof to the body of a request.
    package func apply(to form: inout FormBody) {
        switch self {
        case .secret(let secret):
            form.set("client_secret", to: secret.exposed)
        case .assertion(let assertion):
            form.set("client_assertion_type", to: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            form.set("client_assertion", to: assertion.exposed)
        case .boundAssertion(let assertion, _):
            form.set("client_assertion_type", to: "urn:ietf:params:oauth:client-assertion-type:jwt-pop")
            form.set("client_assertion", to: assertion.exposed)
        case .certificate:
            break
        }
    }

    /// The assertion, if the proof has one.
    package var assertion: Secret? {
        switch self {
        case .secret, .certificate: nil
        case .assertion(let assertion), .boundAssertion(let assertion, _): assertion
        }
    }

    /// The certificate for the TLS handshake.
    package var certificate: MSALClientCertificate? {
        switch self {
        case .secret, .assertion: nil
        case .certificate(let certificate), .boundAssertion(_, let certificate): certificate
        }
    }
}
