// Licensed under the MIT License. See LICENSE.

public import Foundation

extension EmulatorDirectory {
    /// A secret of a confidential client.
    ///
    /// Its printed form hides the value.
    public struct ClientSecret: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The secret itself.
        public var value: String
        /// The name that administrators see in the list of the application's credentials.
        public var name: String?
        /// The end of its life (AADSTS7000222 from then on); `nil` has none.
        public var expiresAt: Date?

        /// Describes a secret.
        public init(_ value: String, name: String? = nil, expiresAt: Date? = nil) {
            self.value = value
            self.name = name
            self.expiresAt = expiresAt
        }

        /// Reads a secret: an object with `value`, or the value alone.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// The name, if there is one.
        public var description: String { "secret \(name ?? "")" }
        /// Shows what `description` shows.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    /// A certificate with which a confidential client signs assertions, RFC 7523.
    public struct ClientCertificate: Sendable, Codable, Equatable {
        /// The certificate in PEM. Its public key is RSA.
        public var pem: String
        /// The subject, if the certificate is an issuer's. Then each certificate of that subject counts if the issuer
        /// issued it, and if the assertion carries it in `x5c`.
        public var subject: String?

        /// Describes a certificate.
        public init(pem: String, subject: String? = nil) {
            self.pem = pem
            self.subject = subject
        }

        /// Reads a certificate: an object with `pem`, or the PEM text alone.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }

    /// A foreign identity that may act as an application: a Kubernetes service account, a GitHub workflow, and so on.
    public struct FederatedCredential: Sendable, Codable, Equatable {
        /// `iss` of its tokens, letter by letter.
        public var issuer: String
        /// `sub` of its tokens, letter by letter.
        public var subject: String
        /// The values of `aud` of which its tokens have one.
        public var audiences: [String]
        /// The name that administrators see in the list of the application's credentials.
        public var name: String?
        /// The issuer's keys. `nil` reads them from the issuer, over https, when a token needs them.
        public var keys: [JSONWebKey]?

        /// The default value for `aud`.
        public static let standardAudience = "api://AzureADTokenExchange"

        /// Describes a federated credential.
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

        /// Reads a credential; issuer and subject are required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.ClientSecret: FileEntry {
    static let form = EntryForm(
        "secret",
        summary: "A secret of a confidential client.",
        blank: EmulatorDirectory.ClientSecret("")
    ) { members in
        members.short("value", at: \.value, as: .text(.secret)).summary("The secret itself.")
        members.optional("name", at: \.name).summary("What it is called.")
        members.optional("expiresAt", at: \.expiresAt).summary("The end of its life (AADSTS7000222 from then on).")
    }
}

extension EmulatorDirectory.ClientCertificate: FileEntry {
    static let form = EntryForm(
        "certificate",
        summary: "A certificate with which a confidential client signs assertions: pem, or file.",
        blank: EmulatorDirectory.ClientCertificate(pem: "")
    ) { members in
        members.ofFiles("file", as: .textFile(of: "pem"))
            .summary("The name of a PEM file, as seen from the folder of this file.")
        members.short("pem", at: \.pem).summary("The certificate in PEM; its key is RSA.")
        members.optional("subject", at: \.subject)
            .summary("With a subject, the certificate is the issuer of those that count (in x5c).")
    }
}

extension EmulatorDirectory.FederatedCredential: FileEntry {
    static let form = EntryForm(
        "federated credential",
        summary: "A foreign identity that may act as the application.",
        blank: EmulatorDirectory.FederatedCredential(issuer: "", subject: "")
    ) { members in
        members.required("issuer", at: \.issuer, as: .text(.uri)).summary("iss of its tokens, letter by letter.")
        members.required("subject", at: \.subject).summary("sub of its tokens, letter by letter.")
        members.optional("audiences", at: \.audiences).summary("The values of aud of which its tokens have one.")
        members.optional("name", at: \.name).summary("What it is called.")
        members.optional("keys", at: \.keys)
            .summary("The issuer's keys. Without them, they are read from the issuer when a token needs them.")
    }
}
