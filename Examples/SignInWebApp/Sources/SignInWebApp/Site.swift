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
    private let sessions = Sessions()
    private let authority: URL
    private let scopes = ["User.Read"]

    init(_ settings: Settings, application: MSALConfidentialClientApplication) {
        self.application = application
        authority = settings.authority
        graph = Graph(base: settings.graph, tls: settings.clientTLS)
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ProtectiveHeaders(signsOutAt: authority))
        router.get("/") { request, _ in try await home(request) }
        router.get("/style.css") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/css; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Pages.style))
            )
        }
        router.get("/signin") { request, _ in await signIn(request) }
        router.post("/signin-oidc") { request, _ in try await signedIn(request) }
        router.post("/signout") { request, _ in try await signOut(request) }
        router.post("/signout-everywhere") { request, _ in try await signOut(request, everywhere: true) }
        router.get("/signout-callback-oidc") { _, _ in show(Pages.farewell) }
        router.get("/signout-oidc") { request, _ in await signedOutElsewhere(request) }
        return router
    }

    // MARK: Sign-in

    /// Sends the browser to the service.
    private func signIn(_ request: Request) async -> Response {
        var parameters = MSALWebSignInParameters(scopes: scopes)
        parameters.claims = await sessions.session(request.cookies[Cookies.session]?.value)?.claims
        do throws(MSALTokenError) {
            let signIn = try await application.authorizationRequest(parameters)
            let visit = await sessions.begin(signIn, visit: request.cookies[Cookies.signIn]?.value)
            var response = Response.redirect(to: signIn.url.absoluteString)
            // The service's form comes from another site. Browsers send cookies with it only if these are made for that.
            response.setCookie(Cookies.signIn(visit))
            return response
        } catch {
            return trouble(error)
        }
    }

    /// The browser returns from the service with a form.
    private func signedIn(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 << 10)
        do throws(MSALTokenError) {
            let response = try MSALWebSignInResponse(formBody: body.readableBytesView)
            let visit = request.cookies[Cookies.signIn]?.value
            guard let signIn = await sessions.take(for: response, visit: visit) else {
                return show(
                    Pages.trouble("Please begin again", "This sign-in is over, or another browser began it."),
                    status: .badRequest
                )
            }
            let result = try await application.acquireToken(response, for: signIn)
            guard let user = result.homeAccountIdentifier else { return Response(status: .internalServerError) }
            let name = await sessions.open(result, user: user)
            var home = Response.redirect(to: "/")
            home.setCookie(Cookies.session(name))
            return home
        } catch {
            return trouble(error)
        }
    }

    // MARK: Signed in

    private func home(_ request: Request) async throws -> Response {
        let name = request.cookies[Cookies.session]?.value
        guard let session = await sessions.session(name) else { return show(Pages.signedOut) }
        do {
            do {
                return try await home(session, options: MSALTokenOptions())
            } catch let refusal as Graph.Refusal where refusal.status == 401 {
                // The time of the token is not over, but the service may have ended the sign-in. A new token shows it.
                var options = MSALTokenOptions()
                options.forceRefresh = true
                return try await home(session, options: options)
            }
        } catch let error as MSALTokenError where error.needsUser || error.kind == .accountNotFound {
            await sessions.remember(claims: error.claims, in: name)
            return show(Pages.signInAgain(session))
        } catch {
            let words = "Microsoft Graph cannot be asked now. You are still signed in."
            return show(Pages.trouble("Something is missing", words, session: session), status: .badGateway)
        }
    }

    private func home(_ session: Sessions.Session, options: MSALTokenOptions) async throws -> Response {
        let token = try await application.acquireTokenSilent(
            homeAccountIdentifier: session.user,
            scopes: scopes,
            options: options
        )
        let profile = try await graph.me(authorization: token.authorizationHeader)
        return show(Pages.home(session, profile: profile, source: token.source.rawValue))
    }

    // MARK: Sign-out

    /// Signs the user out in this browser, or in all of them, and at the service.
    private func signOut(_ request: Request, everywhere: Bool = false) async throws -> Response {
        let body = try await request.body.collect(upTo: 4096)
        let name = request.cookies[Cookies.session]?.value
        guard let name, let session = await sessions.session(name) else { return .redirect(to: "/") }
        guard isEqual(String(buffer: body), "token=\(session.formToken)") else {
            return show(
                Pages.trouble("Not signed out", "The form came from another page.", session: session),
                status: .forbidden
            )
        }
        // The address first: it may need what the memory knows of the user.
        let page = try? await application.signOutURL(homeAccountIdentifier: session.user)
        await forget(everywhere ? sessions.close(user: session.user) : sessions.close(name))
        // If the service cannot be asked for its page, the user is signed out here alone.
        var response = Response.redirect(to: page?.absoluteString ?? "/signout-callback-oidc")
        response.setCookie(Cookies.session("", lifetime: 0))
        return response
    }

    /// The user signed out of another application. The service opens this address in a hidden frame, without cookies, and
    /// names its session (OpenID Connect Front-Channel Logout §2).
    private func signedOutElsewhere(_ request: Request) async -> Response {
        if let session = request.uri.queryParameters.get("sid"), !session.isEmpty {
            await forget(sessions.close(serviceSession: session))
        }
        return show(Pages.farewell)
    }

    /// Removes the tokens of users who have no session here any more.
    private func forget(_ users: [String]) async {
        for user in users { await application.removeTokens(homeAccountIdentifier: user) }
    }

    // MARK: Responses

    private func trouble(_ error: MSALTokenError) -> Response {
        switch error.kind {
        case .userCancelled:
            return show(Pages.trouble("Not signed in", "You left the sign-in, or did not consent."))
        case .invalidSignInResponse:
            return show(Pages.trouble("Please begin again", "The sign-in could not be completed."), status: .badRequest)
        default:
            // The text is for those who run the application. Users get the number by which it is found.
            print("A sign-in failed: \(error)")
            let number = error.correlationID?.uuidString ?? "–"
            return show(
                Pages.trouble("Sign-in failed", "Try again later, or quote the number \(number)."),
                status: .badGateway
            )
        }
    }

    private func show(_ page: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text))
        )
    }

    /// Compares in a time that does not show where the two differ.
    private func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
