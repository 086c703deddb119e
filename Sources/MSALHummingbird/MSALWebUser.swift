// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Hummingbird
import MSALBase
public import MSALServer

/// The user who is signed in to a browser, according to the validated ID token of the sign-in.
///
/// Authorize by ``objectId`` and ``tenant``, never by a name or an address, which users can change.
public struct MSALWebUser: Sendable, CustomStringConvertible {
    let application: MSALConfidentialClientApplication
    let session: WebSession

    /// The identifier with which the application object finds the user's tokens.
    public var homeAccountIdentifier: String { session.user }
    /// The ID of the user in the tenant's directory.
    public var objectId: String? { claim("oid") }
    /// The ID of the tenant that the user signed in to.
    public var tenant: String? { claim("tid") }
    /// The name to display: the user's name, or the user name if there is none.
    public var name: String? { claim("name") ?? claim("preferred_username") }
    /// The app roles of the user.
    public var roles: Set<String> { Set(session.claims["roles"]?.strings ?? []) }
    /// The claims of the ID token.
    public var claims: [String: MSALClaimValue] { session.claims }
    /// The name of the type, without personal data and secrets.
    public var description: String { "MSALWebUser" }

    var loginHint: String? { claim("login_hint") ?? claim("preferred_username") }

    private func claim(_ name: String) -> String? { session.claims[name]?.string }

    /// Acquires a token of the user, from the cache or silently renewed, for the scopes of one API.
    ///
    /// - Throws: ``MSALSignInRequired`` if the user has to sign in again, consent, or satisfy a policy, otherwise an
    ///   `MSALTokenError`. Do not catch them: the middleware redirects the browser, or responds with a page.
    public func token(for scopes: [String], options: MSALTokenOptions = .init()) async throws -> MSALTokenResult {
        do throws(MSALTokenError) {
            return try await token(for: MSALTokenRequest(scopes: scopes, options: options))
        } catch {
            throw MSALSignInRequired(error) ?? error
        }
    }

    /// An API that is called as the user, with tokens for these scopes. If it responds with a claims challenge, the user
    /// signs in again with the claims, and the browser returns to the page.
    ///
    /// - Throws: `.configuration` if the base URL is neither https nor http on this machine. Correct it.
    public func api(at baseURL: URL, scopes: [String]) throws(MSALTokenError) -> MSALDownstreamAPI {
        try MSALDownstreamAPI(
            baseURL: baseURL,
            scopes: scopes,
            as: .application(self),
            transport: application.environment.transport,
            time: application.environment.time
        )
    }

    /// A hidden field that each form of the application's pages must contain, as HTML.
    public var formField: String { #"<input type="hidden" name="formToken" value="\#(session.formToken.exposed)">"# }

    /// Decodes a form (`application/x-www-form-urlencoded`) that a page of this session submitted.
    ///
    /// - Throws: An error for which the middleware responds with the status 403 and a page if the form does not contain
    ///   this session's ``formField``; an `HTTPError` with the status 413 if it is larger than `limit` bytes; a
    ///   `DecodingError` if it cannot be decoded.
    public func form<Fields: Decodable>(of request: Request, limit: Int = 64 << 10) async throws -> Fields {
        guard let body = try await formBody(of: request, limit: limit) else { throw Refusal(page: .forgedForm) }
        return try URLEncodedFormDecoder().decode(Fields.self, from: body)
    }

    /// The body of a form with this session's token; `nil` if another site has submitted it, or an old page.
    func formBody(of request: Request, limit: Int) async throws -> String? {
        let body = String(buffer: try await request.body.collect(upTo: limit))
        // A form without the field, or of another type, cannot be decoded as this.
        let sent = try? URLEncodedFormDecoder().decode(SentToken.self, from: body)
        return (sent?.formToken).map(Secret.init) == session.formToken ? body : nil
    }

    private struct SentToken: Decodable { let formToken: String }

    /// A request of a signed-in user that the middleware rejects with this page.
    struct Refusal: Error { let page: MSALWebSignInPage.Kind }
}

extension MSALWebUser: MSALTokenCredential {
    /// Acquires a token of the user as the credential of an API. An error that requires the user has the cause
    /// ``MSALSignInRequired``.
    public func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        let (user, scopes, options) = (session.user, request.scopes, request.options)
        do throws(MSALTokenError) {
            // Only the user can satisfy the claims of a challenge.
            guard options.claims == nil else {
                throw MSALTokenError(.interactionRequired, message: "Claims are required.")
            }
            return try await application.acquireTokenSilent(
                homeAccountIdentifier: user,
                scopes: scopes,
                options: options
            )
        } catch {
            guard error.requiresSignIn else { throw error }
            let required = MSALSignInRequired(scopes: scopes, claims: options.claims ?? error.claims)
            throw MSALTokenError(kind: error.kind, message: error.message, claims: required.claims, causes: [required])
        }
    }
}

/// A request that can proceed only after the user has signed in, consented, or satisfied a policy.
///
/// If a handler throws it, ``MSALWebSignIn`` redirects the browser to the service, which returns it to the page. A request
/// that is not a navigation, such as the submission of a form, gets the status 401 and a page with a link.
public struct MSALSignInRequired: Error, Sendable {
    /// The required scopes of one API; without scopes, those of ``MSALWebSignInConfiguration``.
    public var scopes: [String]
    /// The required claims, as JSON text.
    public var claims: String?

    /// Creates an error for a handler to throw.
    public init(scopes: [String] = [], claims: String? = nil) { (self.scopes, self.claims) = (scopes, claims) }

    /// What the user has to do because of another error of a handler; `nil` if a sign-in does not help.
    init?(_ error: any Error) {
        let downstream = error as? MSALDownstreamError
        let tokenError = error as? MSALTokenError ?? downstream?.tokenError
        let challenge = error as? MSALClaimsChallenge ?? downstream?.challenge
        if let required = error as? MSALSignInRequired ?? tokenError?.causes.first as? MSALSignInRequired {
            self = required
        } else if challenge != nil || tokenError?.requiresSignIn ?? (downstream?.response?.status == 401) {
            self.init(claims: tokenError?.claims ?? challenge?.claims)
        } else {
            return nil
        }
    }
}
