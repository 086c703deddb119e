// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// An access token that a test gets in one call, without a sign-in.
///
/// Without a flaw it is a token like any other: Graph and the APIs of the directory take it, it can be exchanged on behalf of
/// its user, and it ends when the user's sign-ins are ended.
public struct TestToken: Sendable {
    /// The user principal name or the object id of the user that the token is about; `nil` for an application's own token.
    public var user: String?
    /// The client id or the display name of the application that has the token. `nil` takes the first one of the directory,
    /// or the API itself where there is none.
    public var application: String?
    /// The tenant by id, domain or alias; `nil` takes the user's home, or the first one.
    public var tenant: String?
    /// The API by its client id or another identifier.
    public var api: String
    /// The permissions of a user's token. `nil` takes all that need no administrator.
    public var scopes: [String]?
    /// Claims that are added or replaced; `.none` removes one. `iss`, `aud`, `exp`, `nbf`, `iat`, `tid`, `oid`, `sub`,
    /// `sid`, `ver` and `cnf` follow from the other members.
    public var claims: [String: Claim] = [:]
    /// How long it lives from now on, in whole seconds. A negative duration makes a token that has ended. `nil` means
    /// the usual lifetime.
    public var lifetime: Duration?
    /// The fault of the token; `nil` makes a good token.
    public var flaw: Flaw?

    /// Describes a token about a user.
    public init(user: String, api: String, scopes: [String]? = nil) {
        self.user = user
        self.api = api
        self.scopes = scopes
    }

    /// Describes a token that an application has in its own name.
    public init(application: String, api: String) {
        self.application = application
        self.api = api
    }

    init(api: String) {
        self.api = api
    }
}

extension TestToken {
    /// A fault of a token, for which an API has to refuse it.
    public enum Flaw: String, Sendable, CaseIterable {
        /// The token expired an hour ago.
        case expired
        /// The token becomes valid in an hour.
        case notYetValid
        /// The token names a key of the platform, and another key signed it.
        case wrongKey
        /// The token names a key that no key set has.
        case unknownKid
        /// The token has no signature: `alg` is `none` (RFC 7519 §6).
        case unsigned
        /// The platform's public key, which everybody has, is the secret of its HMAC (RFC 8725 §2.1).
        case hs256WithPublicKey
        /// `iss` names an unknown issuer.
        case wrongIssuer
        /// `aud` names another API.
        case wrongAudience
        /// The token is of another tenant.
        case wrongTenant
        /// The token has neither permissions nor roles.
        case noScopes
        /// The end of its signature is missing.
        case truncated
    }

    /// The value of a claim.
    public enum Claim: Sendable, Equatable {
        /// A text.
        case text(String)
        /// A whole number.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// A list of texts.
        case list([String])
        /// The value is any JSON, as its text.
        case json(String)
        /// The claim is left out.
        case none
    }

    /// The reason why the token cannot be made.
    public struct Refusal: LocalizedError, CustomStringConvertible {
        /// One sentence with the remedy.
        public let description: String
        /// The sentence of `description`, which `localizedDescription` returns.
        public var errorDescription: String? { description }

        init(_ description: String) {
            self.description = description
        }
    }
}

extension TestToken.Claim: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// A list of texts.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension TestToken.Claim {
    /// The value as JSON; `null` for a claim that is left out.
    ///
    /// - Throws: `TestToken.Refusal` for a text that is no JSON.
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
