// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// A provider's public key that verifies signatures (RFC 7517, RFC 7518 §6).
///
/// Malformed or weak keys, and keys for other purposes or of other types, are rejected.
package struct JSONWebKey: Sendable {
    package let kid: String?
    /// The only algorithm that the key is meant for. It is `nil` if the provider names none.
    let alg: String?
    let publicKey: PublishedKey
    /// The only issuer whose tokens this key may sign. It may contain `{tenantid}`. It is `nil` if the provider names
    /// none.
    package let issuer: String?
    /// The only cloud whose tokens this key may sign.
    package let cloudInstanceName: String?

    /// Reads a key. The result is `nil` if it cannot be used here. RFC 7517 §5 says to ignore such keys.
    package init?(_ value: JSONValue) {
        guard
            let members = value.object?.filter({ $0.value != .null }),
            // A key may serve one purpose only (RFC 7517 §4.2 and §4.3).
            members["use"].map({ $0 == .string("sig") }) ?? true,
            members["key_ops"].map({ $0.array?.contains(.string("verify")) == true }) ?? true,
            members["alg"].map({ $0.string != nil }) ?? true,
            // A restriction that cannot be read must not be dropped.
            ["issuer", "cloud_instance_name"].allSatisfy({ name in members[name].map { $0.string != nil } ?? true }),
            let publicKey = PublishedKey(members)
        else { return nil }
        kid = members["kid"]?.string
        alg = members["alg"]?.string
        issuer = members["issuer"]?.string
        cloudInstanceName = members["cloud_instance_name"]?.string
        self.publicKey = publicKey
    }

    /// Whether this is an RSA key, the only type with which Microsoft signs access tokens.
    package var isRSA: Bool {
        switch publicKey {
        case .rsa: true
        case .p256: false
        }
    }

    /// Whether both are the same key with the same restrictions, and so accept the same signatures.
    package func isSame(as other: JSONWebKey) -> Bool {
        publicKey.encoded == other.publicKey.encoded && alg == other.alg && issuer == other.issuer
            && cloudInstanceName == other.cloudInstanceName
    }

    /// The usable keys of a key set document.
    ///
    /// - Throws: `.invalidResponse` if the document is not a JSON object with an array `keys`.
    package static func set(parsing data: Data) throws(AuthorityError) -> [JSONWebKey] {
        guard let members = JSONValue(parsing: data)?.object else {
            throw AuthorityError(
                .invalidResponse,
                message: "The provider's key set is not a JSON object. \(HTTPResponse.portalHint)"
            )
        }
        guard let keys = members["keys"]?.array else {
            throw AuthorityError(.invalidResponse, message: "The provider's key set has no `keys` array.")
        }
        return keys.compactMap(JSONWebKey.init)
    }
}
