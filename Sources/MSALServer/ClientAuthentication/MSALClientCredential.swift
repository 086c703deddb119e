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
}

/// A client secret (RFC 6749 §2.3.1).
struct ClientSecret: ClientAuthentication {
    let secret: Secret
    let kind = ObservedCredential.secret

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof { .secret(secret) }
}
