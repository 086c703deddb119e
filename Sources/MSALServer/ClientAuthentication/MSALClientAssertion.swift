// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// The assertion that a callback returns as the proof of the client's identity. Its description does not hold the
/// assertion.
public struct MSALClientAssertion: Sendable, CustomStringConvertible, CustomReflectable {
    let jwt: Secret
    /// The end of the assertion's life, if it is known.
    public let expiresOn: Date?
    /// The certificate to which the assertion is bound, which is shown in the TLS handshake.
    public let certificate: MSALClientCertificate?

    /// An assertion.
    ///
    /// - Parameters:
    ///   - jwt: The JWT, as it is sent (RFC 7523 §2.2).
    ///   - expiresOn: The end of its life. With it, an expired assertion is noticed before it is sent.
    ///   - certificate: The certificate to which it is bound. The credential must say `bindsToCertificate`.
    public init(_ jwt: String, expiresOn: Date? = nil, certificate: MSALClientCertificate? = nil) {
        self.jwt = Secret(jwt)
        self.expiresOn = expiresOn
        self.certificate = certificate
    }

    /// The end and the certificate.
    public var description: String {
        "MSALClientAssertion(expires \(expiresOn?.formatted(.iso8601) ?? "at an unknown time"))"
    }

    /// Shows a debugger what `description` shows.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}

extension MSALClientCredential {
    /// An assertion that the program gets elsewhere: from another identity provider, a vault, a sidecar.
    ///
    /// The callback runs once for each token that is asked of the service, and not for a token from the memory. It is
    /// cancelled when nobody waits for the token any more. If it throws, nothing is sent, and the error of the kind
    /// `credentialUnavailable` has the callback's own among its `causes`. If the service finds an assertion too old or its
    /// signature unknown (AADSTS700024, 700021, 700027), the callback runs once more, and another assertion is tried once.
    ///
    /// - Parameters:
    ///   - timeLimit: The time after which the callback counts as failed. Nobody waits any longer for a callback that
    ///     goes on then.
    ///   - bindsToCertificate: Whether the assertion may come with a certificate, to which it is bound. The request then goes
    ///     to the service's hosts for mutual TLS. The service offers this as a preview.
    ///   - callback: Gets the audience and the other facts of the request.
    /// - Returns: The credential for a configuration.
    public static func assertion(
        timeLimit: Duration = .seconds(60),
        bindsToCertificate: Bool = false,
        _ callback: @escaping @Sendable (MSALAssertionContext) async throws -> MSALClientAssertion
    ) -> MSALClientCredential {
        MSALClientCredential("assertion") { environment in
            CallbackAuthentication(
                callback: callback,
                timeLimit: timeLimit,
                bindsToCertificate: bindsToCertificate,
                environment: environment
            )
        }
    }
}
