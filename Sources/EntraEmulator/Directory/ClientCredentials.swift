// Licensed under the MIT License. See LICENSE.

import CryptoExtras
public import Foundation
import MSALBase

extension EmulatorDirectory {
    /// A secret of a confidential client.
    ///
    /// Its printed form hides the value.
    public struct ClientSecret: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The value of the secret.
        public var value: String
        /// The name that administrators see in the list of the application's credentials.
        public var name: String?
        /// The expiry (AADSTS7000222 afterwards); `nil` if it never expires.
        public var expiresAt: Date?

        /// Creates a secret.
        public init(_ value: String, name: String? = nil, expiresAt: Date? = nil) {
            self.value = value
            self.name = name
            self.expiresAt = expiresAt
        }

        /// Decodes a secret: an object with `value`, or only the value.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// The name, if there is one.
        public var description: String { "secret \(name ?? "")" }
        /// The same as ``description``.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    /// A certificate with which a confidential client signs assertions, RFC 7523.
    public struct ClientCertificate: Sendable, Codable, Equatable {
        /// The certificate in PEM. Its public key must be RSA.
        public var pem: String
        /// The subject, if this is the certificate of an issuer. Then any certificate with that subject is accepted if
        /// the issuer issued it and the assertion contains it in `x5c`.
        public var subject: String?

        /// Creates a certificate.
        public init(pem: String, subject: String? = nil) {
            self.pem = pem
            self.subject = subject
        }

        /// Decodes a certificate: an object with `pem`, or only the PEM text.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// An external identity that may act as an application, such as a Kubernetes service account or a GitHub workflow.
    public struct FederatedCredential: Sendable, Codable, Equatable {
        /// `iss` of its tokens, which must match exactly.
        public var issuer: String
        /// `sub` of its tokens, which must match exactly.
        public var subject: String
        /// The accepted values of `aud`.
        public var audiences: [String]
        /// The name that administrators see in the list of the application's credentials.
        public var name: String?
        /// The issuer's keys. `nil` fetches them from the issuer over https when a token needs them.
        public var keys: [JSONWebKey]?

        /// The default value of `aud`.
        public static let standardAudience = "api://AzureADTokenExchange"

        /// Creates a federated credential.
        public init(
            issuer: String,
            subject: String,
            audiences: [String] = [standardAudience],
            name: String? = nil
        ) {
            self.issuer = issuer
            self.subject = subject
            self.audiences = audiences
            self.name = name
        }

        /// Decodes a credential; issuer and subject are required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

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

extension EmulatorDirectory.ClientSecret: FileEntry {
    static let form = EntryForm(
        "secret",
        summary: "A secret of a confidential client.",
        blank: EmulatorDirectory.ClientSecret("")
    ) { members in
        members.short("value", at: \.value, as: .text(.secret)).summary("The value of the secret.")
        members.optional("name", at: \.name).summary("The display name.")
        members.optional("expiresAt", at: \.expiresAt).summary("The expiry (AADSTS7000222 afterwards).")
    }
}

extension EmulatorDirectory.ClientCertificate: FileEntry {
    static let form = EntryForm(
        "certificate",
        summary: "A certificate with which a confidential client signs assertions: pem, or file.",
        blank: EmulatorDirectory.ClientCertificate(pem: "")
    ) { members in
        members.ofFiles("file", as: .textFile(of: "pem"))
            .summary("The path of a PEM file, relative to the folder of this file.")
        members.short("pem", at: \.pem).summary("The certificate in PEM; its key must be RSA.")
        members.optional("subject", at: \.subject)
            .summary("With a subject, this is the issuer of the accepted certificates (in x5c).")
    }
}

extension EmulatorDirectory.FederatedCredential: FileEntry {
    static let form = EntryForm(
        "federated credential",
        summary: "An external identity that may act as the application.",
        blank: EmulatorDirectory.FederatedCredential(issuer: "", subject: "")
    ) { members in
        members.required("issuer", at: \.issuer, as: .text(.uri)).summary(
            "iss of its tokens, which must match exactly."
        )
        members.required("subject", at: \.subject).summary("sub of its tokens, which must match exactly.")
        members.optional("audiences", at: \.audiences).summary("The accepted values of aud.")
        members.optional("name", at: \.name).summary("The display name.")
        members.optional("keys", at: \.keys)
            .summary("The issuer's keys. By default, they are fetched from the issuer when a token needs them.")
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
