// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase

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
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// Writes the key with its type.
        public func encode(to encoder: any Encoder) throws { try encode(members: encoder) }
    }
}

extension EmulatorDirectory.JSONWebKey {
    /// The keys of a key set, RFC 7517 §5. Those that are not RSA, or too short, are left out.
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

    /// The key; `nil` for values that make none of 2048 bits or more.
    var publicKey: _RSA.Signing.PublicKey? {
        guard let modulus = Data(base64URL: modulus[...]), let exponent = Data(base64URL: exponent[...]),
            // The caller says whose key it is; the reason adds nothing.
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent), key.keySizeInBits >= 2048
        else { return nil }
        return key
    }
}

extension EmulatorDirectory.JSONWebKey: FileEntry {
    private enum KeyType: String, Codable, CaseIterable, FileValue {
        case rsa = "RSA"
    }

    /// The type of the key, which is always RSA. A file with another type is refused.
    private var keyType: KeyType {
        get { .rsa }
        set {}
    }

    static let form = EntryForm(
        "key",
        summary: "A public RSA key, as a JSON web key.",
        blank: EmulatorDirectory.JSONWebKey(keyID: nil, modulus: "", exponent: "")
    ) { members in
        for name in ["use", "alg", "x5t", "x5c"] {
            members.ofFiles(name, as: name == "x5c" ? .list(String.fileShape) : String.fileShape)
                .summary("Not read; issuers show it.")
        }
        members.required("kty", at: \.keyType).summary("The kind of key.")
        members.optional("kid", at: \.keyID).summary("The name by which tokens name the key.")
        members.required("n", at: \.modulus).summary("The modulus in base64url, of 2048 bits or more.")
        members.required("e", at: \.exponent).summary("The exponent in base64url, such as AQAB.")
    }
}
