// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
public import Hummingbird
import MSALBase
import MSALCore
public import MSALServer
import NIOCore

/// The settings of the sign-in of a web application.
public struct MSALWebSignInConfiguration: Sendable {
    /// The scopes of one API for which users consent when they sign in. Without scopes, users are only signed in.
    public var scopes: [String] = []
    /// The time after the last request after which a session ends; one hour by default.
    public var idleLifetime: Duration = .seconds(3600)
    /// The time after the sign-in after which a session ends; eight hours by default.
    public var lifetime: Duration = .seconds(8 * 3600)
    /// How the service returns its response through the browser.
    public var responseMode = MSALWebSignInParameters.ResponseMode.formPost
    /// The path that starts a sign-in. With `?return=/path`, the browser then returns to that path.
    public var signInPath = "/signin"
    /// The paths to which a form with ``MSALWebUser/formField`` is posted to sign the user out, here or everywhere.
    public var signOutPath = "/signout", signOutEverywherePath = "/signout-everywhere"
    /// The path of the front-channel logout URL, which the service opens when the user signs out elsewhere.
    public var frontChannelSignOutPath = "/signout-oidc"
    /// Whether a signed-in user whom the service requires again gets a page with a link instead of a redirect.
    public var confirmsRepeatedSignIn = false
    /// Renders a page as HTML. The library sets the status and the headers.
    public var page: @Sendable (MSALWebSignInPage) -> String = { $0.html }

    /// Creates the default settings for these scopes.
    public init(scopes: [String] = []) { self.scopes = scopes }
}

/// Signs the users of a web application in and out, and keeps their sessions.
///
/// The browser's cookie contains a random ID. The sessions are in the store in which the application shares the tokens
/// of its users, encrypted with the same keys, so that all instances know all sessions; without such a store, they are
/// in the memory of this process. The site's address is that of the application's `redirectUri`: the library reads
/// neither `Host` nor `X-Forwarded-…` of a request.
public struct MSALWebSignIn: Sendable {
    let application: MSALConfidentialClientApplication
    let configuration: MSALWebSignInConfiguration
    package let sessions: WebSessions
    let origin: String, redirectPath: String, signedOutPath: String

    /// Creates the sign-in of an application with the `redirectUri` of its registration.
    ///
    /// - Throws: `.configuration` if the application has no `redirectUri`, or one that is not a web address. Set it.
    public init(
        _ application: MSALConfidentialClientApplication,
        configuration: MSALWebSignInConfiguration = MSALWebSignInConfiguration()
    ) throws(MSALTokenError) {
        guard let redirect = application.configuration.redirectUri.flatMap({ HTTPAddress($0) }) else {
            throw MSALTokenError(.configuration, message: "The application has no valid redirect URI. Set redirectUri.")
        }
        (self.application, self.configuration) = (application, configuration)
        let (idleLifetime, lifetime) = (configuration.idleLifetime, configuration.lifetime)
        sessions = try WebSessions(of: application, idleLifetime: idleLifetime, lifetime: lifetime)
        origin = redirect.origin
        redirectPath = redirect.url.path()
        signedOutPath = application.configuration.postLogoutRedirectUri.flatMap { URL(string: $0) }?.path() ?? "/"
    }

    /// Adds the routes of the sign-in, and the middleware for all routes that are added afterwards.
    public func addRoutes<Context: MSALWebRequestContext>(to router: Router<Context>) {
        router.add(middleware: SessionMiddleware<Context>(signIn: self))
        router.get(RouterPath(configuration.signInPath)) { await begin(demand(of: $0), for: $0, user: $1.user) }
        let method: HTTPRequest.Method = configuration.responseMode == .formPost ? .post : .get
        router.on(RouterPath(redirectPath), method: method) { request, _ in try await complete(request) }
        for (path, everywhere) in [(configuration.signOutPath, false), (configuration.signOutEverywherePath, true)] {
            router.post(RouterPath(path)) { try await signOut($0, user: $1.user, everywhere: everywhere) }
        }
        let frontChannelPath = RouterPath(configuration.frontChannelSignOutPath)
        router.get(frontChannelPath) { request, _ in try await signOutFromService(request) }
        if signedOutPath.utf8.count > 1 {
            router.get(RouterPath(signedOutPath)) { _, _ in page(.signedOut, link: configuration.signInPath) }
        }
    }

    /// The response to an error; `nil` if it is the application's own.
    func response(to error: any Error, of request: Request, user: MSALWebUser?) async -> Response? {
        if let required = MSALSignInRequired(error) {
            if let user, let failure = error as? MSALDownstreamError {
                let id = user.homeAccountIdentifier
                // If an API rejects a token without a challenge, the service may have ended the sign-in. With one, another
                // instance may complete the sign-in: this one must not present the rejected token again.
                if failure.kind == .refused {
                    await application.removeTokens(homeAccountIdentifier: id)
                } else if required.claims != nil {
                    application.forgetSharedCopies(homeAccountIdentifier: id)
                }
            }
            let demand = SignInDemand(scopes: required.scopes, claims: required.claims, path: path(of: request))
            let (isLoop, asks) = (isLoop(request), user != nil && configuration.confirmsRepeatedSignIn)
            if request.isNavigation, !asks, !isLoop { return await begin(demand, for: request, user: user) }
            var response = page(isLoop ? .repeated : .signInAgain, link: link(to: demand), user: user)
            if !request.isNavigation { response.status = .unauthorized }
            return response
        }
        switch error {
        case is SharedStoreError: return page(.unavailable, user: user)
        case let refusal as MSALWebUser.Refusal:
            let demand = SignInDemand(path: path(of: request), choosesAccount: true)
            return page(refusal.page, link: refusal.page == .missingRole ? link(to: demand) : "/", user: user)
        case let error as MSALDownstreamError where error.kind != .cancelled:
            guard let error = error.tokenError else { return page(.unavailable, user: user) }
            return await failure(error, link: "/", user: user)
        case let error as MSALTokenError where error.kind != .cancelled:
            return await failure(error, link: "/", user: user)
        default: return nil
        }
    }

    /// The path to return to. The content of a submitted form is lost, so its address would not help.
    private func path(of request: Request) -> LocalPath {
        guard request.isNavigation else { return LocalPath() }
        return LocalPath(request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")) ?? LocalPath()
    }

    func page(_ kind: MSALWebSignInPage.Kind, link: String = "/", user: MSALWebUser? = nil, id: UUID? = nil) -> Response
    {
        let page = MSALWebSignInPage(kind, link: link, user: user, correlationID: id)
        var response = Response(
            status: page.status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: configuration.page(page)))
        )
        if kind == .unavailable { response.headers[.retryAfter] = "1" }
        return response
    }

    /// The page for an error of the service. Operators find the error in the log.
    func failure(_ error: MSALTokenError, link: String, user: MSALWebUser? = nil) async -> Response {
        let kind: MSALWebSignInPage.Kind =
            switch error.kind {
            case .userCancelled: .cancelled
            // The service has already redeemed the code, or requires something that only a new sign-in can satisfy.
            case .invalidSignInResponse, .interactionRequired, .consentRequired: .beginAgain
            case .network, .serviceUnavailable, .cacheUnavailable: .unavailable
            default: .failed
            }
        await application.environment.logged(as: error.correlationID) {
            let line = "The sign-in or a token of a user failed: \(error.message)"
            kind == .unavailable || kind == .failed ? Log.warning(line) : Log.info(line)
        }
        return page(kind, link: link, user: user, id: error.correlationID)
    }
}

/// Finds the session of each request, and turns errors of handlers into sign-ins and pages.
private struct SessionMiddleware<Context: MSALWebRequestContext>: RouterMiddleware {
    let signIn: MSALWebSignIn

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        var response: Response
        do {
            // The service's form comes from another site, and does not need the session.
            if request.uri.path != signIn.redirectPath, let id = request.hostCookie(MSALWebSignIn.sessionCookie),
                let session = try await signIn.sessions.session(id)
            {
                context.user = MSALWebUser(application: signIn.application, session: session)
                if request.isForgery(unlessFrom: signIn.origin) { throw MSALWebUser.Refusal(page: .forgedForm) }
            }
            response = try await next(request, context)
        } catch {
            guard let page = await signIn.response(to: error, of: request, user: context.user) else { throw error }
            response = request.method == .head ? page.createHeadResponse() : page
        }
        // The browser's back button must not show the page after the user has signed out.
        if context.user != nil, response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
