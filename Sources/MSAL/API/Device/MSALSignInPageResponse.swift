// Licensed under the MIT License. See LICENSE.

private import MSALBase
import MSALCore

/// The service's response to a sign-in that shows no page. Linux only.
public struct MSALSignInPageResponse: Sendable {
    /// The kinds of response.
    public enum Outcome: Sendable {
        /// The service would prompt the user: it knows the app, its redirect URI, and the scopes.
        case asksPerson

        /// The service rejects the sign-in. The error has its message and numbers, like that of a sign-in.
        case refused(NSError)

        /// The service shows an error page with this number, such as `AADSTS50011`. It does not redirect with it, so a
        /// sign-in would wait until it times out.
        case errorPage(number: String)

        /// Something other than the service responds, with this HTTP status: a proxy or a captive portal.
        case status(Int)
    }

    /// The host of the page.
    public let host: String
    /// The meaning of the service's response.
    public let outcome: Outcome

    /// The error of a refusal, or one with the number, the cause, and the page of an error page; `nil` for other outcomes.
    public var error: NSError? {
        if case .refused(let error) = outcome { return error }
        guard case .errorPage(let number) = outcome else { return nil }
        let details = ServiceErrorCause.userInfo(of: ServiceErrorDetails.codes(in: number))
        let userInfo = details.merging([MSALErrorDescriptionKey: "The service shows an error page: \(number)."]) { $1 }
        return NSError(domain: MSALErrorDomain, code: MSALError.internal.rawValue, userInfo: userInfo)
    }
}

/// A sign-in attempt without user interaction.
///
/// With `prompt=none`, the service shows no page and redirects immediately with an error (OpenID Connect Core
/// §3.1.2.1). It checks the scopes first, and does this only if it knows the app and the redirect URI.
struct SignInProbe {
    private let clientID: String
    private let redirectURI: String
    private let scopes: [String]
    private let endpoint: URL

    init(_ configuration: MSALPublicClientApplicationConfig, scopes: [String], authority: ResolvedAuthority) {
        clientID = configuration.clientId
        redirectURI = configuration.redirectUri ?? "http://localhost"
        self.scopes = scopes
        endpoint = authority.authorizationEndpoint
    }

    func send(by transport: any HTTPTransport) async -> Result<MSALSignInPageResponse, MSALServiceCheckup.Failure> {
        do throws(TransportError) {
            let reply = try await transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(built: address)))
            return .success(MSALSignInPageResponse(host: endpoint.host() ?? "", outcome: outcome(of: reply)))
        } catch {
            return .failure(MSALServiceCheckup.Failure(error, host: endpoint.host()))
        }
    }

    private var address: URL {
        var request = AuthorizationRequest(
            clientID: clientID,
            state: Base64URL.encode([UInt8].random(count: 16)),
            nonce: Base64URL.encode([UInt8].random(count: 32)),
            pkce: PKCE(random: [UInt8].random),
            correlationID: .random()
        )
        request.scopes = ScopeSet(scopes)
        request.responseMode = .query
        request.prompt = "none"
        return request.url(at: endpoint, redirectURI: redirectURI)
    }

    private func outcome(of reply: HTTPResponse) -> MSALSignInPageResponse.Outcome {
        guard (300..<400).contains(reply.status), let target = reply[header: "Location"].flatMap(URL.init(string:)),
            target.absoluteString.hasPrefix(redirectURI)
        else { return outcome(ofPage: reply) }
        let parameters = RedirectParameters.parse(target)
        // The error codes that mean that the user would be prompted (OpenID Connect Core §3.1.2.6).
        let wantsPerson = ["login_required", "interaction_required", "consent_required", "account_selection_required"]
        guard let error = parameters["error"], !wantsPerson.contains(error) else { return .asksPerson }
        let refusal = OAuthError(error: error, description: parameters["error_description"])
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: refusal.description ?? "The service says \(refusal.error).",
            MSALOAuthErrorKey: refusal.error,
        ]
        userInfo.merge(ServiceErrorCause.userInfo(of: ServiceErrorDetails.codes(in: refusal.description))) { $1 }
        return .refused(NSError(domain: MSALErrorDomain, code: MSALError.internal.rawValue, userInfo: userInfo))
    }

    /// A redirect to another host also counts as a page: the service's own redirects are for users.
    private func outcome(ofPage reply: HTTPResponse) -> MSALSignInPageResponse.Outcome {
        let text = String(decoding: reply.body, as: UTF8.self)
        if let match = text.firstMatch(of: /(AADSTS|AADB2C)[0-9]{4,8}/) { return .errorPage(number: String(match.0)) }
        return reply.status >= 400 ? .status(reply.status) : .asksPerson
    }
}
