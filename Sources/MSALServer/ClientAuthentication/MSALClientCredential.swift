// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The credential that authenticates a confidential client. A client has exactly one.
///
/// Its description contains no secret.
///
/// ```swift
/// let shared = MSALClientCredential.secret(secret)
/// let file = MSALClientCredential.certificate(path: "/etc/app/client.pem")
/// let cluster = MSALClientCredential.federated(.kubernetes(tokenFile: nil))
/// print(shared, file, cluster)  // The kinds of the credentials, without secrets.
/// ```
public struct MSALClientCredential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the way, for messages.
    package let name: String
    /// Reads and checks the credential when the application object is created.
    package let open: @Sendable (ServerEnvironment) throws(MSALTokenError) -> any ClientAuthentication

    /// A way by name.
    package init(
        _ name: String,
        open: @escaping @Sendable (ServerEnvironment) throws(MSALTokenError) -> any ClientAuthentication
    ) {
        self.name = name
        self.open = open
    }

    /// A client secret of the application's registration.
    public static func secret(_ secret: String) -> MSALClientCredential {
        let secret = Secret(secret)
        return MSALClientCredential("secret") { _ throws(MSALTokenError) in
            guard !secret.exposed.isEmpty else {
                throw MSALTokenError(.invalidCredential, message: "The client secret is empty.")
            }
            return ClientSecret(secret: secret)
        }
    }

    /// The kind of the credential.
    public var description: String { "MSALClientCredential(\(name))" }

    /// Only the kind of the credential.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// A certificate of the application's registration.
    ///
    /// - Parameters:
    ///   - certificate: The certificate with its key.
    ///   - extraClaims: Claims to add to each assertion. They cannot replace the claims that the library sets.
    /// - Returns: The credential, for a configuration.
    public static func certificate(
        _ certificate: MSALClientCertificate,
        extraClaims: [String: String] = [:]
    ) -> MSALClientCredential {
        MSALClientCredential("certificate") { environment in
            CertificateAuthentication(
                source: CertificateSource(certificate, environment: environment),
                extraClaims: extraClaims,
                environment: environment
            )
        }
    }

    /// A certificate in a PEM or PKCS#12 file that can be replaced while the program runs.
    ///
    /// The file is read when the application object is created, and again before signing if it has changed; changes are
    /// checked at most once a minute. If the new file cannot be used, the old certificate stays in use and an error is
    /// logged.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - password: The password of the key or of the file.
    ///   - extraClaims: Claims to add to each assertion. They cannot replace the claims that the library sets.
    /// - Returns: The credential, for a configuration.
    public static func certificate(
        path: String,
        password: String? = nil,
        extraClaims: [String: String] = [:]
    ) -> MSALClientCredential {
        let password = password.map { Secret($0) }
        return MSALClientCredential("certificate") { environment throws(MSALTokenError) in
            CertificateAuthentication(
                source: try CertificateSource(path: path, password: password, environment: environment),
                extraClaims: extraClaims,
                environment: environment
            )
        }
    }

    /// A certificate that authenticates the application over mutual TLS, without an assertion (RFC 8705 §2).
    ///
    /// It serves all flows. The tokens are ordinary bearer tokens, unless ``MSALTokenOptions/isBoundToCertificate`` is
    /// set. The authority must name a tenant, and its cloud must accept certificates in the TLS handshake; otherwise,
    /// calls throw `.tenantRequired` or `.notSupportedInCloud`.
    ///
    /// - Parameter certificate: The certificate with its key.
    /// - Returns: The credential, for a configuration.
    public static func mutualTLS(_ certificate: MSALClientCertificate) -> MSALClientCredential {
        MSALClientCredential("mutual TLS") { environment in
            CertificateAuthentication(
                source: CertificateSource(certificate, environment: environment),
                extraClaims: [:],
                isShownInHandshake: true,
                environment: environment
            )
        }
    }

    /// A certificate of the application's registration whose key is stored elsewhere, such as in a vault.
    ///
    /// - Parameters:
    ///   - signer: Signs with the key.
    ///   - extraClaims: Claims to add to each assertion. They cannot replace the claims that the library sets.
    /// - Returns: The credential, for a configuration.
    public static func signer(
        _ signer: any MSALAssertionSigner,
        extraClaims: [String: String] = [:]
    ) -> MSALClientCredential {
        MSALClientCredential("signer") { environment throws(MSALTokenError) in
            try SignerAuthentication(signer: signer, extraClaims: extraClaims, environment: environment)
        }
    }
}

/// A client secret (RFC 6749 §2.3.1).
struct ClientSecret: ClientAuthentication {
    let secret: Secret
    let kind = ObservedCredential.secret

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof { .secret(secret) }
}
