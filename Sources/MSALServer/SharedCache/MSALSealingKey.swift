// Licensed under the MIT License. See LICENSE.

import Crypto
private import Foundation

/// A secret with which the values of a shared cache are sealed and their names blinded.
///
/// All instances of a service have the same keys. It does not print.
public struct MSALSealingKey: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The number of the key, which stands in each value that it seals. Two keys of a service never have the same.
    public let id: UInt8

    // Each code has taken in its key. A copy of it goes on from there, and is quicker than a new one.

    /// Blinds names.
    let nameCode: HMAC<SHA256>
    /// Derives the key of each value.
    let valueCode: HMAC<SHA256>

    /// A key.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - secret: 32 random bytes or more, as `openssl rand 32` makes them. A word that somebody thought of will not do.
    /// - Throws: `.configuration` for a shorter one, and for one of a single repeated byte.
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
        // One secret serves two purposes with a key for each (HKDF, RFC 5869).
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
