// Licensed under the MIT License. See LICENSE.

import Crypto
private import Foundation

/// A secret that encrypts the values of a shared cache and obscures their names, or encrypts what an authorization adapter
/// keeps in browsers and clients.
///
/// All instances of a service have the same keys. Its description does not contain the secret.
public struct MSALSealingKey: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The number of the key, which is part of each value that it encrypts. Each key of a service needs a different
    /// number.
    public let id: UInt8

    // Each code is initialized with its key. Copying it is faster than initializing a new one.

    /// Obscures names.
    let nameCode: HMAC<SHA256>
    /// Derives the key of each value.
    let valueCode: HMAC<SHA256>

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - secret: At least 32 random bytes, such as the output of `openssl rand 32`. A password is not sufficient.
    /// - Throws: `.configuration` if the secret is shorter, or consists of a single repeated byte.
    public init(id: UInt8, secret: some Collection<UInt8>) throws(MSALTokenError) {
        guard secret.count >= Self.leastBytes, Set(secret).count > 1 else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The sealing key \(id) needs a secret of at least \(Self.leastBytes) random bytes. Make one with "
                    + "`openssl rand 32`, and give the same one to all instances."
            )
        }
        self.id = id
        let root = SymmetricKey(data: Array(secret))
        // A separate key for each purpose is derived from the secret (HKDF, RFC 5869).
        func code(for purpose: String) -> HMAC<SHA256> {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: root,
                info: Data("msal.swift.shared-cache.\(purpose)".utf8),
                outputByteCount: 32
            )
            return HMAC(key: key)
        }
        nameCode = code(for: "names")
        valueCode = code(for: "values")
    }

    /// The number, without the secret.
    public var description: String { "MSALSealingKey(\(id))" }

    private static let leastBytes = 32
}
