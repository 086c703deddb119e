// Licensed under the MIT License. See LICENSE.

public import Foundation

extension EmulatorDirectory {
    /// A secret of a confidential client.
    ///
    /// Its printed form hides the value.
    public struct ClientSecret: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The secret itself.
        public var value: String
        /// What it is called where it is managed.
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
        public init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.init(text)
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try members.decode(String.self, forKey: .value),
                name: try members.value(.name),
                expiresAt: try members.value(.expiresAt)
            )
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case value, name, expiresAt
        }

        /// The name, if there is one.
        public var description: String { "secret \(name ?? "")" }
        /// Shows what `description` shows.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    /// A certificate with which a confidential client signs assertions, RFC 7523.
    public struct ClientCertificate: Sendable, Codable, Equatable {
        /// The certificate in PEM. Its public key is RSA.
        public var pem: String
        /// With a subject, the certificate is an issuer's: each certificate of that subject that it issued counts, if the
        /// assertion carries it in `x5c`.
        public var subject: String?

        /// Describes a certificate.
        public init(pem: String, subject: String? = nil) {
            self.pem = pem
            self.subject = subject
        }

        /// Reads a certificate: an object with `pem`, or the PEM text alone.
        public init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.init(pem: text)
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.init(pem: try members.decode(String.self, forKey: .pem), subject: try members.value(.subject))
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case pem, subject
        }
    }

    /// A foreign identity that may act as an application: a Kubernetes service account, a GitHub workflow, and so on.
    public struct FederatedCredential: Sendable, Codable, Equatable {
        /// `iss` of its tokens, letter by letter.
        public var issuer: String
        /// `sub` of its tokens, letter by letter.
        public var subject: String
        /// The values of `aud` of which its tokens have one.
        public var audiences: [String]
        /// What it is called where it is managed.
        public var name: String?
        /// The issuer's keys. `nil` reads them from the issuer, over https, when a token needs them.
        public var keys: [JSONWebKey]?

        /// What `aud` has to be where nothing else is said.
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
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            issuer = try members.decode(String.self, forKey: .issuer)
            subject = try members.decode(String.self, forKey: .subject)
            audiences = try members.value(.audiences, default: [Self.standardAudience])
            name = try members.value(.name)
            keys = try members.value(.keys)
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case issuer, subject, audiences, name, keys
        }
    }
}
