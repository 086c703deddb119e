// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer

/// A client's authorization request after its checks. It is sealed into the consent form, and then into the state of the sign-in.
struct ClientAuthorization: Codable, Sendable {
    let clientID: String
    let redirectURI: String
    let state: String?
    /// The client's code challenge (RFC 7636).
    let challenge: String
    /// The scopes for the service, with `offline_access` if the client requested it.
    let scopes: [String]
    let loginHint: String?
    let domainHint: String?
    let prompt: String?
    /// The time at which this step of the sign-in began, in seconds since 1970.
    var begun: Int64
    /// The verifier of the adapter's own request to the service, after the user has agreed.
    var verifier: String?

    /// Checks the parameters whose errors the client receives. Parameters that are not read here are ignored.
    init(
        _ parameters: FormParameters,
        of client: AdapterClient,
        redirectURI: String,
        rules: AuthorizationRules,
        at now: Int64
    ) throws(OAuthError) {
        guard parameters["response_type"] == "code" else {
            throw .refusal("unsupported_response_type", "The response type must be code.")
        }
        guard let challenge = parameters["code_challenge"], challenge.utf8.count == 43,
            challenge.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }),
            parameters["code_challenge_method"] == "S256"
        else { throw .request("A code challenge with the method S256 is required (PKCE).") }
        let lengths = ["state", "login_hint", "domain_hint"].map { parameters[$0]?.utf8.count ?? 0 }
        guard lengths.allSatisfy({ $0 <= 1024 }) else { throw .request("The state or a hint is too long.") }
        // Clients send `consent` with `offline_access`. Entra would ask the user at each sign-in.
        let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init)).subtracting(["consent"])
        guard prompts.count <= 1, prompts.isSubset(of: ["login", "select_account", "none"]) else {
            throw .request("The prompt must be login, select_account, none, or consent.")
        }
        try rules.check(resource: parameters["resource"])
        scopes = try rules.requested(parameters["scope"], refreshes: client.refreshes)
        clientID = parameters["client_id"] ?? ""
        state = parameters["state"]
        loginHint = parameters["login_hint"]
        domainHint = parameters["domain_hint"]
        self.redirectURI = redirectURI
        self.challenge = challenge
        prompt = prompts.first
        begun = now
    }

    /// The context of the user's approval: this client, this redirect URI, and these scopes.
    var approval: [String] { ["approval", clientID, redirectURI] + scopes.sorted() }
}

/// The scopes and the resource that a client may request.
struct AuthorizationRules: Sendable {
    /// The scopes of the API in full form.
    let scopes: [String]
    private let resource: String

    static let offlineAccess = "offline_access"
    /// Scopes of OpenID Connect, which clients add. ID tokens have Entra's issuer, so they are not requested.
    private static let identity: Set = ["openid", "profile", "email"]

    init(_ resource: MSALProtectedResource) {
        scopes = resource.scopes
        self.resource = Self.normalized(resource.resource.absoluteString)
    }

    /// The scopes to request from the service; all of the API if a client names none (RFC 6749 §3.3).
    func requested(_ text: String?, refreshes: Bool = false) throws(OAuthError) -> [String] {
        let requested = Set((text ?? "").split(separator: " ").map(String.init)).subtracting(Self.identity)
        guard requested.isSubset(of: scopes + [Self.offlineAccess]) else {
            throw .refusal("invalid_scope", "The server does not have these scopes.")
        }
        let named = scopes.filter(requested.contains)
        let offline = refreshes || requested.contains(Self.offlineAccess) ? [Self.offlineAccess] : []
        return (named.isEmpty ? scopes : named) + offline
    }

    /// Checks that the token is for this server (RFC 8707 §2).
    func check(resource text: String?) throws(OAuthError) {
        guard let text, Self.normalized(text) == resource else {
            throw .refusal("invalid_target", "The resource must be the address of this server.")
        }
    }

    /// An address with its scheme and host in lower case, and without the slash of an empty path (RFC 3986 §6.2).
    private static func normalized(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3 else { return text }
        let origin = "\(parts[0].lowercased())//\(parts[2].lowercased())"
        return parts.count == 4 && !parts[3].isEmpty ? "\(origin)/\(parts[3])" : origin
    }
}

extension OAuthError {
    static func client(_ description: String) -> OAuthError { refusal("invalid_client", description) }

    static func request(_ description: String) -> OAuthError { refusal("invalid_request", description) }

    static func refusal(_ error: String, _ description: String, status: Int = 400) -> OAuthError {
        var refusal = OAuthError(error: error, description: description)
        refusal.status = status
        return refusal
    }

    static let unavailable = refusal("temporarily_unavailable", "Try again later.", status: 503)
    static let failed = refusal("server_error", "The authorization server has failed.", status: 502)

    /// The error that a client gets for a failure between the adapter and the service. Faults of the adapter's own registration
    /// are not the client's business.
    init(_ error: MSALTokenError) {
        if error.needsUser || error.oauthError == "invalid_grant" {
            self = .refusal("invalid_grant", error.message)
        } else if error.kind == .invalidScopes {
            self = .refusal("invalid_scope", error.message)
        } else {
            self = error.isRetryable || error.kind == .cancelled ? .unavailable : .failed
        }
    }
}
