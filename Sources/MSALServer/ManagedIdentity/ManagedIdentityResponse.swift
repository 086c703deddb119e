// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
package import MSALCore

/// Reads what a host responds to a token request.
package struct ManagedIdentityResponse: Sendable {
    package let request: ManagedIdentityRequest
    private let environment: ServerEnvironment

    package init(to request: ManagedIdentityRequest, environment: ServerEnvironment) {
        self.request = request
        self.environment = environment
    }

    /// The token of a response (docs/reference/Services.md#managed-identity-answers).
    ///
    /// - Throws: `.invalidResponse` if the token, its end or its type is missing or malformed; `.identityNotConfirmed`
    ///   if the agent of Azure Arc does not repeat the id; the kind of a refusal.
    package func token(_ response: HTTPResponse) throws(MSALTokenError) -> CachedAccessToken {
        guard response.status == 200 else { throw refusal(response) }
        if let absence = absence(behind: response) { throw absence }
        guard let members = JSONValue(parsing: response.body)?.object else {
            throw fault("is not a JSON object. \(HTTPResponse.portalHint)")
        }
        guard let token = members["access_token"]?.string, !token.isEmpty else { throw fault("has no access token.") }
        guard token.isBearerToken else { throw fault("has an access token that is invalid in a header.") }
        let type = members["token_type"]?.string ?? ""
        guard type.isEmpty || type.caseInsensitiveCompare("Bearer") == .orderedSame else {
            throw fault("has a token of another type than Bearer.")
        }
        let now = environment.time.wholeSeconds
        guard let end = ManagedIdentityExpiry.end(in: members, now: now) else {
            throw fault("does not contain the lifetime of its token.")
        }
        guard end > now else { throw fault("has a token that has expired already. Check the clock of this machine.") }
        try request.host.confirm(members, for: request)
        return CachedAccessToken(
            accessToken: Secret(token),
            life: CachedAccessToken.Life(until: end, refreshAt: refreshTime(members, end: end, now: now)),
            scopes: [request.resource + "/.default"],
            correlationID: request.correlationID
        )
    }

    /// The time that the host names. If it names none, half of a life of more than two hours, and `nil` for a shorter
    /// life.
    private func refreshTime(_ members: [String: JSONValue], end: Int64, now: Int64) -> Int64? {
        let life = end - now
        var delay = life > 7200 ? life / 2 : nil
        if let named = members["refresh_in"]?.double, named > 0, named < Double(life) { delay = Int64(named) }
        guard let delay else { return nil }
        let spread = min(Double(life) / 10, 300)
        return now + delay - Int64(environment.jitter(.seconds(spread)).components.seconds)
    }

    private func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(
            .invalidResponse,
            message: "The response of \(lowercasedWords) \(text) The response was discarded.",
            correlationID: request.correlationID
        )
    }

    private var lowercasedWords: String { "t" + request.host.words.dropFirst() }

    /// The error for a response of another program, which shows that there is no metadata service; else `nil`.
    private func absence(behind response: HTTPResponse) -> MSALTokenError? {
        guard request.host.hasCommonAddress, let unexpectedResponder = MetadataService.unexpectedResponder(in: response)
        else { return nil }
        let host = request.message.url.host() ?? ""
        return MSALTokenError(
            .unavailable,
            message: "A service other than the metadata service responds at \(host): \(unexpectedResponder). "
                + Self.unavailableRemedy,
            correlationID: request.correlationID
        )
    }

    /// The error for a status that is not 200 (docs/reference/Services.md#managed-identity-errors).
    package func refusal(_ response: HTTPResponse, asking key: Secret? = nil) -> MSALTokenError {
        if let absence = absence(behind: response) { return absence }
        let words = ManagedIdentityRefusal(body: response.body)
        let text = words.text(without: request.secrets + [key].compactMap { $0 })
        let kind = request.host.kind(of: words, status: response.status, for: request.identity)
        var message = "\(request.host.words) responded with HTTP status \(response.status)"
        message += text.isEmpty ? " and gave no reason." : ": \(text)\(text.last == "." ? "" : ".")"
        if let remedy = remedy(for: kind, status: response.status) { message += " " + remedy }
        return MSALTokenError(
            kind,
            message: message,
            isRetryable: kind == .unavailable || response.status == 429 || response.status >= 500,
            correlationID: request.correlationID,
            retryAfter: response[header: "Retry-After"].flatMap { RetryAfter.delay($0, now: environment.time.now) }
        )
    }

    private func remedy(for kind: MSALTokenError.Kind, status: Int) -> String? {
        switch kind {
        case .identityNotAssigned: "Assign \(request.identity.words) to the machine, or ask for another one."
        case .unavailable: Self.unavailableRemedy
        default: status == 429 || status >= 500 ? "Try again later." : nil
        }
    }

    /// The remedy if the endpoint of a host does not respond.
    static let unavailableRemedy =
        "Check that the program runs on that host, that no proxy is in between, and that a container may reach the host's "
        + "network."
}
