// Licensed under the MIT License. See LICENSE.

public import Foundation

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
