// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// An authorization request that has passed all checks without user interaction.
struct AuthorizeRequest: Sendable {
    /// The page that the application requests with `prompt` (OpenID Connect Core §3.1.2.1).
    enum Prompt: String, Sendable {
        case none, login, consent, create
        case selectAccount = "select_account"
    }

    /// The application's options for the pages and for the user who signs in.
    struct PageOptions: Sendable {
        let prompt: Prompt?
        /// A user principal name.
        var loginHint: String?
        /// The accepted tenants: a domain, `organizations`, or `consumers`.
        var domainHint: String?
        /// The maximum age of a sign-in in seconds.
        var maximumAge: Int?
    }

    /// The response that the application requests by redirect. A device gets none.
    struct RequestedResponse: Sendable {
        var hasCode = false
        var hasIDToken = false
        var hasAccessToken = false
        var codeChallenge: String?
        var nonce: String?
        /// Whether the response contains the cloud of the user.
        var namesCloud = false
        /// Whether the request came to the version 1.0 endpoint, whose pages have separate addresses.
        var isVersion1 = false
    }

    /// The path segment, for links within the same tenant.
    let tenantSegment: TenantSegment
    let selector: TenantSelector
    let client: AppRegistration
    let target: ResponseTarget
    var response = RequestedResponse()
    var scopes: RequestedScopes
    var pageOptions: PageOptions
    /// The client capabilities in `claims`.
    var capabilities: [String] = []
    /// The authentication contexts in `claims`.
    var authenticationContexts: [String] = []
    /// Whether an administrator is asked to consent for all users; the response then contains the consent instead of a
    /// code.
    var isForEverybody = false
}

/// An error after the validation of the redirect URI, which is sent to the application by redirect.
struct RedirectedError: Error, Sendable {
    let error: EntraError
    let target: ResponseTarget
}

extension AuthorizeRequest {
    /// Checks a request in the order that docs/reference/Emulator.md#requests states.
    ///
    /// - Throws: `EntraError` about tenant, client, and redirect URI, which is shown on a page and never redirected;
    ///   `RedirectedError` for all errors after that.
    init(_ exchange: Exchange, tenantSegment: TenantSegment, directory: ServedDirectory) throws {
        // OpenID Connect Core §3.1.2.1: GET and POST are equivalent.
        let query = exchange.parameters
        let client = try directory.client(of: query)
        let names = query["response_type"]?.split(separator: " ") ?? []
        let selector = try client.admitted(directory.selector(for: tenantSegment), called: tenantSegment.tenant)
        let redirectURI = try Self.redirectURI(query["redirect_uri"], client: client, orFirst: names == ["id_token"])

        // Form Post Response Mode §2, OAuth 2.0 Multiple Response Types §2.1: the mode applies to errors, too.
        let usual = names.contains("id_token") || names.contains("token") ? RedirectTarget.Mode.fragment : .query
        let target = RedirectTarget(
            redirectURI: redirectURI,
            mode: query["response_mode"].flatMap { RedirectTarget.Mode(rawValue: $0) } ?? usual,
            state: query["state"]
        )
        self = try Self.redirecting(to: target) { () throws(EntraError) in
            let wanted = try Self.response(query)
            if wanted.hasIDToken, !client.issuesIDTokens {
                RequestNotes.note(remark: client.lineToAdd("enableIdTokenIssuance"))
                throw .disabledResponseType("id_token")
            }
            if wanted.hasAccessToken, !client.issuesAccessTokens {
                RequestNotes.note(remark: client.lineToAdd("enableAccessTokenIssuance"))
                throw .disabledResponseType("token")
            }
            var response = wanted
            let platform = client.redirectURIs.platform(of: redirectURI)
            response.codeChallenge = try Self.challenge(query, for: response, by: platform)
            response.nonce = query["nonce"]
            response.namesCloud = query["instance_aware"]?.lowercased() == "true"
            response.isVersion1 = exchange.isVersion1
            if response.hasIDToken, response.nonce == nil { throw .missingParameter("nonce") }
            let scopes = try exchange.requestedScopes(of: client, in: directory, asksForConsent: true)
            guard scopes.wantsIDToken || !response.hasIDToken else {
                throw .unsupportedResponseType("response type 'id_token' requires the 'OpenID' scope")
            }
            var request = AuthorizeRequest(
                tenantSegment: tenantSegment,
                selector: selector,
                client: client,
                target: .application(target),
                response: response,
                scopes: scopes,
                pageOptions: try PageOptions(query)
            )
            request.capabilities = try RequestedClaims.capabilities(in: query["claims"])
            request.authenticationContexts = RequestedClaims.authenticationContexts(ifAnyIn: query["claims"])
            return request
        }
    }

    /// Runs a check, whose error is sent to the application by redirect.
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

    /// The redirect URI of a request.
    ///
    /// `usesFirst`: Whether the parameter may be missing, so that a registered one is used (Microsoft identity platform,
    /// "OpenID Connect on the Microsoft identity platform").
    static func redirectURI(
        _ text: String?,
        client: AppRegistration,
        orFirst usesFirst: Bool = false
    ) throws(EntraError) -> RedirectAddress {
        if text == nil, usesFirst, let first = client.redirectURIs.all.first { return first }
        guard let text else { throw .missingParameter("redirect_uri") }
        return try client.checked(redirectURI: text)
    }

    private static func response(_ query: FormValues) throws(EntraError) -> RequestedResponse {
        guard let text = query["response_type"] else { throw .missingParameter("response_type") }
        let names = Set(text.split(separator: " "))
        guard !names.isEmpty, names.isSubset(of: ["code", "id_token", "token"]) else {
            throw .unsupportedResponseType("response type '\(text)' is not enabled for the application")
        }
        let response = RequestedResponse(
            hasCode: names.contains("code"),
            hasIDToken: names.contains("id_token"),
            hasAccessToken: names.contains("token")
        )
        guard let requested = query["response_mode"] else { return response }
        guard let mode = RedirectTarget.Mode(rawValue: requested) else { throw .unsupportedValue("response_mode") }
        // Tokens must not appear in query strings: OAuth 2.0 Multiple Response Types §3.
        if response.hasIDToken || response.hasAccessToken, mode == .query { throw .queryWithToken }
        return response
    }

    private static func challenge(
        _ query: FormValues,
        for response: RequestedResponse,
        by platform: AppRegistration.Platform?
    ) throws(EntraError) -> String? {
        guard response.hasCode else { return nil }
        guard let challenge = query["code_challenge"] else {
            // Microsoft identity platform, "OAuth 2.0 authorization code flow": only recommended for other platforms.
            guard platform != .singlePage else { throw .missingChallenge }
            return nil
        }
        switch query["code_challenge_method"] ?? "plain" {
        case "S256":
            // RFC 7636 §4.2: base64url of a SHA-256, always 43 characters.
            guard challenge.utf8.count == 43,
                challenge.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) })
            else { throw .invalidChallenge }
            return challenge
        case "plain":
            // The challenge is the verifier. Codes are stored with the digest, which the redemption compares.
            guard AuthorizationCodeRedemption.isVerifier(challenge) else { throw .invalidChallenge }
            return AuthorizationCodeRedemption.challenge(challenge)
        default: throw .unsupportedValue("code_challenge_method")
        }
    }
}

extension AuthorizeRequest.PageOptions {
    /// Reads the parameters of a request.
    fileprivate init(_ query: FormValues) throws(EntraError) {
        prompt = try Self.prompt(query["prompt"])
        loginHint = query["login_hint"]
        domainHint = query["domain_hint"]?.lowercased()
        maximumAge = try Self.maximumAge(query["max_age"])
    }

    private static func prompt(_ text: String?) throws(EntraError) -> AuthorizeRequest.Prompt? {
        guard let text else { return nil }
        guard let prompt = AuthorizeRequest.Prompt(rawValue: text) else {
            throw .unsupportedValue("prompt")
        }
        return prompt
    }

    private static func maximumAge(_ text: String?) throws(EntraError) -> Int? {
        guard let text else { return nil }
        guard let seconds = Int(text), seconds >= 0 else { throw .unsupportedValue("max_age") }
        return seconds
    }
}
