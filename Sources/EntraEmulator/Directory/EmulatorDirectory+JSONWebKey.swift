// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase

extension EmulatorDirectory {
    /// The public RSA key of an external issuer, as a JSON Web Key (RFC 7517, RFC 7518 §6.3.1).
    public struct JSONWebKey: Sendable, Codable, Equatable {
        /// `kid`, which identifies the key in tokens.
        public var keyID: String?
        /// `n`: the modulus in base64url, of at least 2048 bits.
        public var modulus: String
        /// `e`: the exponent in base64url.
        public var exponent: String

        /// Creates a key.
        public init(keyID: String?, modulus: String, exponent: String) {
            self.keyID = keyID
            self.modulus = modulus
            self.exponent = exponent
        }

        /// Decodes a key; members that are not listed here are ignored.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// Encodes the key with its type.
        public func encode(to encoder: any Encoder) throws { try encode(members: encoder) }
    }
}

extension EmulatorDirectory.JSONWebKey {
    /// The keys of a key set, RFC 7517 §5. Keys that are not RSA, or too short, are left out.
    static func usable(in keySet: JSONValue) -> [Self] {
        (keySet["keys"]?.array ?? []).prefix(limit).compactMap { value in
            guard value["kty"]?.string == "RSA", value["use"]?.string ?? "sig" == "sig",
                let modulus = value["n"]?.string, let exponent = value["e"]?.string
            else { return nil }
            let key = Self(keyID: value["kid"]?.string, modulus: modulus, exponent: exponent)
            return key.publicKey == nil ? nil : key
        }
    }

    private static let limit = 200

    /// The key; `nil` if the values are not a key of at least 2048 bits.
    var publicKey: _RSA.Signing.PublicKey? {
        guard let modulus = Data(base64URL: modulus[...]), let exponent = Data(base64URL: exponent[...]),
            // The caller knows whose key it is; the reason adds nothing.
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent), key.keySizeInBits >= 2048
        else { return nil }
        return key
    }
}

extension EmulatorDirectory.JSONWebKey: FileEntry {
    private enum KeyType: String, Codable, CaseIterable, FileValue {
        case rsa = "RSA"
    }

    /// The type of the key, which is always RSA. A file with another type is rejected.
    private var keyType: KeyType {
        get { .rsa }
        set {}
    }

    static let form = EntryForm(
        "key",
        summary: "A public RSA key, as a JSON Web Key.",
        blank: EmulatorDirectory.JSONWebKey(keyID: nil, modulus: "", exponent: "")
    ) { members in
        for name in ["use", "alg", "x5t", "x5c"] {
            members.ofFiles(name, as: name == "x5c" ? .list(String.fileShape) : String.fileShape)
                .summary("Ignored; issuers publish it.")
        }
        members.required("kty", at: \.keyType).summary("The type of the key.")
        members.optional("kid", at: \.keyID).summary("The identifier of the key in tokens.")
        members.required("n", at: \.modulus).summary("The modulus in base64url, of at least 2048 bits.")
        members.required("e", at: \.exponent).summary("The exponent in base64url, such as AQAB.")
    }
}
