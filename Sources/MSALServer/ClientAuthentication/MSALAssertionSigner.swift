// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Signs a client's assertions with a key that never leaves its place, such as a vault or a security module.
public protocol MSALAssertionSigner: Sendable {
    /// The algorithms that the key can sign with.
    var algorithms: [MSALSignatureAlgorithm] { get }

    /// The certificate of the key, followed by its issuers, each in DER.
    var certificateChain: [Data] { get }

    /// Signs `data`. The signature is that of RFC 7518 §3.3 or §3.5.
    ///
    /// It is called once for each request of a token, off the caller's actor, and is cancelled with its callers.
    func sign(_ data: Data, with algorithm: MSALSignatureAlgorithm) async throws -> Data
}

/// An algorithm for the signature of a JWT, by its name in RFC 7518 §3.1.
public struct MSALSignatureAlgorithm: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// An algorithm by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// RSASSA-PSS with SHA-256, which Microsoft Entra ID prefers.
    public static let ps256 = MSALSignatureAlgorithm(rawValue: "PS256")

    /// RSASSA-PKCS1-v1_5 with SHA-256, which AD FS takes.
    public static let rs256 = MSALSignatureAlgorithm(rawValue: "RS256")
}
