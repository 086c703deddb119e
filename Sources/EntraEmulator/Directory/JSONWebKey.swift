// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation

extension EmulatorDirectory {
    /// The public RSA key of a foreign issuer, as a JSON web key (RFC 7517, RFC 7518 §6.3.1).
    public struct JSONWebKey: Sendable, Codable, Equatable {
        /// `kid`, by which tokens name the key.
        public var keyID: String?
        /// `n`: the modulus in base64url, of 2048 bits or more.
        public var modulus: String
        /// `e`: the exponent in base64url.
        public var exponent: String

        /// Describes a key.
        public init(keyID: String?, modulus: String, exponent: String) {
            self.keyID = keyID
            self.modulus = modulus
            self.exponent = exponent
        }

        /// Reads a key; members that are not listed here are passed over.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let type = try members.decode(String.self, forKey: .keyType)
            guard type == "RSA" else {
                throw DecodingError.dataCorruptedError(
                    forKey: .keyType,
                    in: members,
                    debugDescription: "the key type must be RSA"
                )
            }
            keyID = try members.value(.keyID)
            modulus = try members.decode(String.self, forKey: .modulus)
            exponent = try members.decode(String.self, forKey: .exponent)
        }

        /// Writes the key with its type.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode("RSA", forKey: .keyType)
            try members.encodeIfPresent(keyID, forKey: .keyID)
            try members.encode(modulus, forKey: .modulus)
            try members.encode(exponent, forKey: .exponent)
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case keyType = "kty"
            case keyID = "kid"
            case modulus = "n"
            case exponent = "e"
        }
    }
}

extension EmulatorDirectory.JSONWebKey {
    /// The keys of a key set, RFC 7517 §5. Those that are not RSA, or too short, are left out.
    static func usable(in keySet: JSONValue) -> [Self] {
        (keySet["keys"]?.elements ?? []).prefix(limit).compactMap { value in
            guard value["kty"]?.string == "RSA", value["use"]?.string ?? "sig" == "sig",
                let modulus = value["n"]?.string, let exponent = value["e"]?.string
            else { return nil }
            let key = Self(keyID: value["kid"]?.string, modulus: modulus, exponent: exponent)
            return key.publicKey == nil ? nil : key
        }
    }

    private static let limit = 200

    /// The key; `nil` for values that make none of 2048 bits or more.
    var publicKey: _RSA.Signing.PublicKey? {
        guard let modulus = Data(base64URL: modulus[...]), let exponent = Data(base64URL: exponent[...]),
            // The caller says whose key it is; the reason adds nothing.
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent), key.keySizeInBits >= 2048
        else { return nil }
        return key
    }
}
