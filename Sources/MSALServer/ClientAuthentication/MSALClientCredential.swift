// Licensed under the MIT License. See LICENSE.

import MSALBase

/// How a confidential client proves who it is. Exactly one way is configured.
///
/// Its description holds no secret.
///
/// ```swift
/// let shared = MSALClientCredential.secret(secret)
/// let file = MSALClientCredential.certificate(path: "/etc/app/client.pem")
/// let cluster = MSALClientCredential.federated(.kubernetes(tokenFile: nil))
/// print(shared, file, cluster)  // The names of the ways, and no secret.
/// ```
public struct MSALClientCredential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the way, for messages.
    package let name: String
    /// Reads and checks what the way needs, when the application object is made.
    package let open: @Sendable (ServerEnvironment) throws(MSALTokenError) -> any ClientAuthentication

    /// A way by name.
    package init(
        _ name: String,
        open: @escaping @Sendable (ServerEnvironment) throws(MSALTokenError) -> any ClientAuthentication
    ) {
        self.name = name
        self.open = open
    }

    /// A secret of the application's registration.
    public static func secret(_ secret: String) -> MSALClientCredential {
        let secret = Secret(secret)
        return MSALClientCredential("secret") { _ throws(MSALTokenError) in
            guard !secret.exposed.isEmpty else {
                throw MSALTokenError(.invalidCredential, message: "The client secret is empty.")
            }
            return ClientSecret(secret: secret)
        }
    }

    /// The way by its name.
    public var description: String { "MSALClientCredential(\(name))" }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// A client secret (RFC 6749 §2.3.1).
struct ClientSecret: ClientAuthentication {
    let secret: Secret
    let kind = ObservedCredential.secret

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof { .secret(secret) }
}
