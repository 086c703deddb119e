// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALServer
import NIOCore

/// The addresses of the application.
struct Site: Sendable {
    private let application: MSALConfidentialClientApplication
    private let graph: Graph
    private let sessions: Sessions
    private let authority: URL
    private let scopes = ["User.Read"]

    init(_ settings: Settings, application: MSALConfidentialClientApplication, sessions: Sessions) {
        self.application = application
        self.sessions = sessions
        authority = settings.authority
        graph = Graph(base: settings.graph, tls: settings.clientTLS)
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ProtectiveHeaders(signsOutAt: authority))
        router.add(middleware: Apology())
        router.get("/") { request, _ in try await home(request) }
        router.get("/style.css") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/css; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Pages.style))
            )
        }
        router.get("/signin") { request, _ in try await signIn(request) }
        router.post("/signin-oidc") { request, _ in try await signedIn(request) }
        router.post("/signout") { request, _ in try await signOut(request) }
        router.post("/signout-everywhere") { request, _ in try await signOut(request, everywhere: true) }
        router.get("/signout-callback-oidc") { _, _ in Pages.farewell.response() }
        router.get("/signout-oidc") { request, _ in try await signedOutElsewhere(request) }
        return router
    }

    // MARK: Sign-in

    /// Sends the browser to the service.
    private func signIn(_ request: Request) async throws -> Response {
        var parameters = MSALWebSignInParameters(scopes: scopes)
        parameters.claims = try await sessions.session(request.cookies[Cookies.session]?.value)?.claims
        let signIn: MSALWebSignInRequest
        do throws(MSALTokenError) {
            signIn = try await application.authorizationRequest(parameters)
        } catch {
            return trouble(error)
        }
        let visit = try await sessions.begin(signIn, visit: request.cookies[Cookies.signIn]?.value)
        var response = Response.redirect(to: signIn.url.absoluteString)
        // The service's form comes from another site. Browsers send only cookies with it that are marked for that.
        response.setCookie(Cookies.signIn(visit))
        return response
    }

    /// The browser returns from the service with a form.
    private func signedIn(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 << 10)
        do {
            let response = try MSALWebSignInResponse(formBody: body.readableBytesView)
            let visit = request.cookies[Cookies.signIn]?.value
            guard let signIn = try await sessions.take(for: response, visit: visit) else {
                return Pages.trouble("Please begin again", "This sign-in is over, or another browser began it.")
                    .response(.badRequest)
            }
            let result = try await application.acquireToken(response, for: signIn)
            guard let user = result.homeAccountIdentifier else { return Response(status: .internalServerError) }
            let name = try await sessions.open(result, user: user)
            var home = Response.redirect(to: "/")
            home.setCookie(Cookies.session(name))
            return home
        } catch let error as MSALTokenError {
            return trouble(error)
        }
    }

    // MARK: Signed in

    private func home(_ request: Request) async throws -> Response {
        let name = request.cookies[Cookies.session]?.value
        guard let session = try await sessions.session(name) else { return Pages.signedOut.response() }
        do {
            do {
                return try await home(session, options: MSALTokenOptions())
            } catch let refusal as Graph.Refusal where refusal.status == 401 {
                // The token has not expired, but the service may have ended the sign-in. A new token shows it.
                var options = MSALTokenOptions()
                options.forceRefresh = true
                return try await home(session, options: options)
            }
        } catch let error as MSALTokenError where error.needsUser || error.kind == .accountNotFound {
            try await sessions.remember(claims: error.claims, in: name)
            return Pages.signInAgain(session).response()
        } catch {
            let words = "Microsoft Graph cannot be reached now. You are still signed in."
            return Pages.trouble("Something is missing", words, session: session).response(.badGateway)
        }
    }

    private func home(_ session: Sessions.Session, options: MSALTokenOptions) async throws -> Response {
        let token = try await application.acquireTokenSilent(
            homeAccountIdentifier: session.user,
            scopes: scopes,
            options: options
        )
        let profile = try await graph.me(authorization: token.authorizationHeader)
        return Pages.home(session, profile: profile, source: token.source.rawValue).response()
    }

    // MARK: Sign-out

    /// Signs the user out in this browser, or in all of them, and at the service.
    private func signOut(_ request: Request, everywhere: Bool = false) async throws -> Response {
        let body = try await request.body.collect(upTo: 4096)
        let name = request.cookies[Cookies.session]?.value
        guard let name, let session = try await sessions.session(name) else { return .redirect(to: "/") }
        guard isEqual(String(buffer: body), "token=\(session.formToken)") else {
            return Pages.trouble("Not signed out", "The form came from another page.", session: session)
                .response(.forbidden)
        }
        // Build the address first, because it may need the user's cached data.
        let page = try? await application.signOutURL(homeAccountIdentifier: session.user)
        await forget(everywhere ? try await sessions.close(user: session.user) : try await sessions.close(name))
        // If the service's page is unavailable, the user is signed out only here.
        var response = Response.redirect(to: page?.absoluteString ?? "/signout-callback-oidc")
        response.setCookie(Cookies.session("", lifetime: 0))
        return response
    }

    /// The user signed out of another application. The service opens this address in a hidden frame, without cookies, and
    /// names its session (OpenID Connect Front-Channel Logout §2).
    private func signedOutElsewhere(_ request: Request) async throws -> Response {
        if let session = request.uri.queryParameters.get("sid"), !session.isEmpty {
            await forget(try await sessions.close(serviceSession: session))
        }
        return Pages.farewell.response()
    }

    /// Removes the tokens of users who have no session any more.
    private func forget(_ users: [String]) async {
        for user in users {
            do {
                try await application.signOut(homeAccountIdentifier: user)
            } catch {
                // The session is closed, so the remaining tokens can no longer be used.
                print("The tokens of a user could not be removed from the shared cache: \(error)")
            }
        }
    }

    // MARK: Responses

    private func trouble(_ error: MSALTokenError) -> Response {
        switch error.kind {
        case .userCancelled:
            return Pages.trouble("Not signed in", "You left the sign-in, or did not consent.").response()
        case .invalidSignInResponse:
            return Pages.trouble("Please begin again", "The sign-in could not be completed.").response(.badRequest)
        default:
            // The text is for the operators of the application. Users get the number with which they can find it.
            print("A sign-in failed: \(error)")
            let number = error.correlationID?.uuidString ?? "–"
            return Pages.trouble("Sign-in failed", "Try again later, or quote the number \(number).")
                .response(.badGateway)
        }
    }

    /// Compares in constant time.
    private func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
