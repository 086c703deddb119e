// Licensed under the MIT License. See LICENSE.

import Crypto
private import Foundation

/// A secret with which the values of a shared cache are sealed and their names blinded.
///
/// All instances of a service have the same keys. It does not print.
public struct MSALSealingKey: Sendable, CustomStringConvertible, ClosedMirror {
    /// The number of the key, which stands in each value that it seals. Two keys of a service never have the same.
    public let id: UInt8

    /// Blinds names.
    let nameKey: SymmetricKey
    /// The key of each value is derived from this one.
    let valueKey: SymmetricKey

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
        func key(for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: root,
                info: Data("msal.swift.shared-cache.\(purpose)".utf8),
                outputByteCount: 32
            )
        }
        nameKey = key(for: "names")
        valueKey = key(for: "values")
    }

    /// The number, without the secret.
    public var description: String { "MSALSealingKey(\(id))" }

    private static let leastBytes = 32
}
