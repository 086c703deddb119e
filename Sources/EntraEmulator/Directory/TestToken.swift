// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// An access token that a test gets with a single call, without a sign-in.
///
/// Without a flaw, it is a regular token: Graph and the APIs of the directory accept it, it can be exchanged on behalf
/// of its user, and it becomes invalid when the user's sign-ins are revoked.
public struct TestToken: Sendable {
    /// The user principal name or the object ID of the token's user; `nil` for an app-only token.
    public var user: String?
    /// The client ID or the display name of the application that the token is issued to. `nil` uses the first one in
    /// the directory, or the API itself if there is none.
    public var application: String?
    /// The tenant by ID, domain, or alias; `nil` uses the user's home tenant, or the first one.
    public var tenant: String?
    /// The API by its client ID or another identifier.
    public var api: String
    /// The permissions of a user token. `nil` uses all that do not require an administrator.
    public var scopes: [String]?
    /// Claims to add or replace; `.none` removes one. `iss`, `aud`, `exp`, `nbf`, `iat`, `tid`, `oid`, `sub`, `sid`,
    /// `ver`, and `cnf` are determined by the other members; these and other restricted claims need ``isForced``.
    public var claims: [String: Claim] = [:]
    /// The lifetime from now on, in whole seconds. A negative duration creates an expired token. `nil` uses the default
    /// lifetime.
    public var lifetime: Duration?
    /// The flaw of the token; `nil` creates a valid token.
    public var flaw: Flaw?
    /// Whether ``claims`` may be those that no policy of the service can change, such as `iss`, `aud`, and `exp`.
    public var isForced = false

    /// Creates a description of a user token.
    public init(user: String, api: String, scopes: [String]? = nil) {
        self.user = user
        self.api = api
        self.scopes = scopes
    }

    /// Creates a description of an app-only token.
    public init(application: String, api: String) {
        self.application = application
        self.api = api
    }

    init(api: String) {
        self.api = api
    }
}

extension TestToken {
    /// A flaw of a token, because of which an API has to reject it.
    public enum Flaw: String, Sendable, CaseIterable {
        /// The token expired an hour ago.
        case expired
        /// The token becomes valid in an hour.
        case notYetValid
        /// The token names a key of the platform, but is signed with another key.
        case wrongKey
        /// The token names a key that is in no key set.
        case unknownKid
        /// The token has no signature: `alg` is `none` (RFC 7519 §6).
        case unsigned
        /// The secret of its HMAC is the platform's public key, which is known to everyone (RFC 8725 §2.1).
        case hs256WithPublicKey
        /// `iss` names an unknown issuer.
        case wrongIssuer
        /// `aud` names a different API.
        case wrongAudience
        /// The token belongs to a different tenant.
        case wrongTenant
        /// The token has neither permissions nor roles.
        case noScopes
        /// The end of its signature is missing.
        case truncated
    }

    /// The value of a claim.
    public enum Claim: Sendable, Equatable {
        /// A string.
        case text(String)
        /// A whole number.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// A list of strings.
        case list([String])
        /// Any JSON value, as text.
        case json(String)
        /// The claim is omitted.
        case none
    }

    /// The reason why the token cannot be issued.
    public struct Refusal: LocalizedError, CustomStringConvertible {
        /// One sentence with the remedy.
        public let description: String
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }

        init(_ description: String) {
            self.description = description
        }
    }
}

extension TestToken.Claim: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// A list of strings.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension TestToken.Claim {
    /// The value as JSON; `null` for a claim that is omitted.
    ///
    /// - Throws: `TestToken.Refusal` if the text is not valid JSON.
    func value() throws(TestToken.Refusal) -> JSONValue {
        switch self {
        case .text(let text): return .string(text)
        case .number(let number): return .int(number)
        case .flag(let flag): return .bool(flag)
        case .list(let texts): return .strings(texts)
        case .json(let text):
            guard let value = JSONValue(parsing: Data(text.utf8)) else { throw .init("'\(text)' is not JSON") }
            return value
        case .none: return .null
        }
    }
}

extension TestToken.Claim: FileValue {
    static var fileShape: FileShape { .any }
    // Claims are values of a table, which have no defaults.
    var fileValue: JSONValue { .null }

    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        self =
            switch value {
            case .null: .none
            case .bool(let flag): .flag(flag)
            case .string(let text): .text(text)
            default: value.int.map { .number($0) } ?? .json(String(decoding: value.encoded(), as: UTF8.self))
            }
    }

    /// Encodes the JSON value.
    public func encode(to encoder: any Encoder) throws { try value().encode(to: encoder) }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func value<Value: Decodable>(_ make: (Value) -> JSONValue) -> JSONValue? {
            (try? container.decode(Value.self)).map(make)
        }
        self =
            try container.decodeNil()
            ? .null
            : value(JSONValue.bool) ?? value(JSONValue.integer) ?? value(JSONValue.number) ?? value(JSONValue.string)
                ?? value(JSONValue.array) ?? .object(container.decode([String: JSONValue].self))
    }

    /// Encodes the value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}
