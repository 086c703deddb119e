// Licensed under the MIT License. See LICENSE.

public import Foundation

/// Signs a client's assertions with a key that the process cannot read, such as one in a vault or a hardware security
/// module.
public protocol MSALAssertionSigner: Sendable {
    /// The algorithms that the key supports.
    var algorithms: [MSALSignatureAlgorithm] { get }

    /// The certificate of the key, followed by its issuers, each in DER.
    var certificateChain: [Data] { get }

    /// Signs `data`. The signature has the form that RFC 7518 §3.3 or §3.5 defines.
    ///
    /// The library calls it once for each token request, off the caller's actor, and cancels it when all callers
    /// cancel.
    func sign(_ data: Data, with algorithm: MSALSignatureAlgorithm) async throws -> Data
}

/// A JWT signature algorithm, by its name in RFC 7518 §3.1.
public struct MSALSignatureAlgorithm: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates an algorithm from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// RSASSA-PSS with SHA-256, which Microsoft Entra ID prefers.
    public static let ps256 = MSALSignatureAlgorithm(rawValue: "PS256")

    /// RSASSA-PKCS1-v1_5 with SHA-256, which AD FS accepts.
    public static let rs256 = MSALSignatureAlgorithm(rawValue: "RS256")
}
