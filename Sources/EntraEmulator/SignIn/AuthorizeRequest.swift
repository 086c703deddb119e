// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// An authorization request that has passed every check that needs no person.
struct AuthorizeRequest: Sendable {
    /// The page that the application asks for by `prompt` (OpenID Connect Core §3.1.2.1).
    enum AskedPage: String, Sendable {
        case none, login, consent, create
        case selectAccount = "select_account"
    }

    /// The contents of the response.
    struct ResponseType: Sendable, Equatable {
        let code: Bool
        let idToken: Bool
    }

    /// The path segment, for links back into the same tenant.
    let tenantSegment: TenantSegment
    let selector: TenantSelector
    let client: AppRegistration
    let target: ResponseTarget
    let responseType: ResponseType
    var scopes: RequestedScopes
    var codeChallenge: String?
    var nonce: String?
    let prompt: AskedPage?
    /// A user principal name.
    var loginHint: String?
    /// A sign-in older than this many seconds does not count.
    var maximumAge: Int?
    /// Client capabilities found in `claims`.
    var capabilities: [String] = []
    /// Authentication contexts found in `claims`.
    var authenticationContexts: [String] = []
    /// The correlation id the client sent, shown on error pages.
    let correlationID: String
    /// The tenants that are meant: a domain, `organizations` or `consumers`.
    var domainHint: String?
    /// Whether the response names the cloud of the person.
    var isInstanceAware = false
    /// Whether an administrator is asked to consent for everybody; the response is no code but the consent.
    var isForEverybody = false
    /// Whether it came to the endpoint of version 1.0. The pages that follow have addresses of their own.
    var isVersion1 = false
}

/// An error after the check of the redirect URI; the application receives it by redirect.
struct RedirectedError: Error, Sendable {
    let error: EntraError
    let target: ResponseTarget
}

extension AuthorizeRequest {
    /// Checks a request in the order that docs/Emulator.md states.
    ///
    /// - Throws: `EntraError` for tenant, client and redirect URI, which are shown on a page and never redirect;
    ///   `RedirectedError` for everything after them.
    init(_ exchange: Exchange, tenantSegment: TenantSegment, directory: ServedDirectory) throws {
        // OpenID Connect Core §3.1.2.1: GET and POST mean the same.
        let query = exchange.parameters
        let selector = try directory.selector(for: tenantSegment)
        let client = try directory.client(of: query)
        let redirectURI = try Self.redirectURI(query["redirect_uri"], client: client)

        let state = query["state"]
        let plain = RedirectTarget(redirectURI: redirectURI, mode: .query, state: state)
        let (responseType, target) = try Self.redirecting(to: plain) { () throws(EntraError) in
            try Self.responseTypeAndMode(query, default: plain)
        }
        self = try Self.redirecting(to: target) { () throws(EntraError) in
            let platform = client.redirectURIs.platform(of: redirectURI)
            let challenge = try Self.challenge(query, for: responseType, by: platform)
            if responseType.idToken, query["nonce"] == nil { throw .missingParameter("nonce") }
            let scopes = try RequestedScopes.parse(
                exchange.scope,
                in: directory,
                passingOverUnknown: exchange.isVersion1
            )
            try exchange.checkResource(fits: scopes, in: directory)
            guard scopes.wantsIDToken || !responseType.idToken else {
                throw .unsupportedResponseType("response type 'id_token' requires the 'OpenID' scope")
            }
            return AuthorizeRequest(
                tenantSegment: tenantSegment,
                selector: selector,
                client: client,
                target: .application(target),
                responseType: responseType,
                scopes: scopes,
                codeChallenge: challenge,
                nonce: query["nonce"],
                prompt: try Self.prompt(query["prompt"]),
                loginHint: query["login_hint"],
                maximumAge: try Self.maximumAge(query["max_age"]),
                capabilities: try RequestedClaims.capabilities(in: query["claims"]),
                authenticationContexts: RequestedClaims.authenticationContexts(ifAnyIn: query["claims"]),
                correlationID: exchange.correlationID,
                domainHint: query["domain_hint"]?.lowercased(),
                isInstanceAware: query["instance_aware"]?.lowercased() == "true",
                isVersion1: exchange.isVersion1
            )
        }
    }

    /// Lets the application hear of what is wrong.
    static func redirecting<Value>(
        to target: RedirectTarget,
        failuresOf check: () throws(EntraError) -> Value
    ) throws(RedirectedError) -> Value {
        do {
            return try check()
        } catch {
            throw RedirectedError(error: error, target: .application(target))
        }
    }

    static func redirectURI(_ text: String?, client: AppRegistration) throws(EntraError) -> RedirectAddress {
        guard let text else { throw .missingParameter("redirect_uri") }
        return try client.checked(redirectURI: text)
    }

    private static func responseTypeAndMode(
        _ query: FormValues,
        default plain: RedirectTarget
    ) throws(EntraError) -> (ResponseType, RedirectTarget) {
        guard let text = query["response_type"] else { throw .missingParameter("response_type") }
        let names = Set(text.split(separator: " "))
        guard !names.isEmpty, names.isSubset(of: ["code", "id_token"]) else {
            throw .unsupportedResponseType("response type '\(text)' is not enabled for the application")
        }
        let type = ResponseType(code: names.contains("code"), idToken: names.contains("id_token"))
        let standard: RedirectTarget.Mode = type.idToken ? .fragment : .query
        guard let requested = query["response_mode"] else {
            return (type, RedirectTarget(redirectURI: plain.redirectURI, mode: standard, state: plain.state))
        }
        // Tokens must not end up in query strings: OAuth 2.0 Multiple Response Types §3.
        guard let mode = RedirectTarget.Mode(rawValue: requested), !(type.idToken && mode == .query) else {
            throw .unsupportedValue("response_mode", value: requested)
        }
        return (type, RedirectTarget(redirectURI: plain.redirectURI, mode: mode, state: plain.state))
    }

    private static func challenge(
        _ query: FormValues,
        for type: ResponseType,
        by platform: AppRegistration.Platform?
    ) throws(EntraError) -> String? {
        guard type.code else { return nil }
        guard let challenge = query["code_challenge"] else {
            // A web application authenticates when it redeems the code.
            guard platform == .web else { throw .missingChallenge }
            return nil
        }
        let method = query["code_challenge_method"] ?? "plain"
        guard method == "S256" else { throw .unsupportedValue("code_challenge_method", value: method) }
        // RFC 7636 §4.2: base64url of a SHA-256, always 43 characters.
        guard challenge.utf8.count == 43,
            challenge.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) })
        else { throw .invalidChallenge }
        return challenge
    }

    private static func prompt(_ text: String?) throws(EntraError) -> AskedPage? {
        guard let text else { return nil }
        guard let prompt = AskedPage(rawValue: text) else { throw .unsupportedValue("prompt", value: text) }
        return prompt
    }

    private static func maximumAge(_ text: String?) throws(EntraError) -> Int? {
        guard let text else { return nil }
        guard let seconds = Int(text), seconds >= 0 else { throw .unsupportedValue("max_age", value: text) }
        return seconds
    }
}
