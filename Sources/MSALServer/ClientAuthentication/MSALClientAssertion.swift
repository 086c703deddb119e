// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// An assertion returned by a callback, which authenticates the client. Its description does not contain the assertion.
public struct MSALClientAssertion: Sendable, CustomStringConvertible, CustomReflectable {
    let jwt: Secret
    /// When the assertion expires, if known.
    public let expiresOn: Date?
    /// The certificate that the assertion is bound to, which the client presents in the TLS handshake.
    public let certificate: MSALClientCertificate?

    /// Creates an assertion.
    ///
    /// - Parameters:
    ///   - jwt: The JWT, as it is sent (RFC 7523 §2.2).
    ///   - expiresOn: When it expires. If set, an expired assertion is detected before it is sent.
    ///   - certificate: The certificate that it is bound to. The credential must set `bindsToCertificate`.
    public init(_ jwt: String, expiresOn: Date? = nil, certificate: MSALClientCertificate? = nil) {
        self.jwt = Secret(jwt)
        self.expiresOn = expiresOn
        self.certificate = certificate
    }

    /// The expiration date, without the assertion.
    public var description: String {
        "MSALClientAssertion(expires \(expiresOn?.formatted(.iso8601) ?? "at an unknown time"))"
    }

    /// The expiration date, as in `description`.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}

extension MSALClientCredential {
    /// An assertion that the program obtains from elsewhere, such as another identity provider, a vault, or a sidecar.
    ///
    /// The callback runs once for each token request to the service, and not for tokens from the cache. It is canceled
    /// when no caller waits for the token anymore. If it throws, nothing is sent, and the call fails with
    /// `credentialUnavailable`; the callback's error is among its `causes`. If the service rejects an assertion as
    /// expired or with an unknown signature (AADSTS700024, 700021, 700027), the callback runs once more, and the
    /// request is retried once with the new assertion.
    ///
    /// - Parameters:
    ///   - timeLimit: The time after which the callback counts as failed. Callers then stop waiting, even if the
    ///     callback is still running.
    ///   - bindsToCertificate: Whether the assertion may come with a certificate that it is bound to. The request then
    ///     goes to the service's hosts for mutual TLS. This is a preview feature of the service.
    ///   - callback: Returns the assertion. It receives the audience and other properties of the request.
    /// - Returns: The credential, for a configuration.
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
