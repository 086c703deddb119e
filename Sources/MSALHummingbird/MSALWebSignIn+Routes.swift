// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALServer
import NIOCore

/// What a sign-in is for, and the path to which it returns. Links to the sign-in path contain it, encrypted.
struct SignInDemand: Codable {
    var scopes: [String] = []
    var claims: String?
    var path: LocalPath
    var choosesAccount = false
}

/// A sign-in in progress, in an encrypted cookie of the browser.
private struct PendingSignIn: Codable {
    let request: MSALWebSignInRequest
    let demand: SignInDemand
    /// The session that the new one replaces. The service's form does not bring its cookie along.
    let session: String?
    let begun: Int64
}

extension MSALWebSignIn {
    /// The address that starts a sign-in.
    func link(to demand: SignInDemand) -> String {
        configuration.signInPath + (sessions.sealer.seal(demand, for: ["link"]).map { "?request=\($0)" } ?? "")
    }

    /// What a request to the sign-in path is for.
    func demand(of request: Request) -> SignInDemand {
        let query = request.uri.queryParameters
        return sessions.sealer.open(SignInDemand.self, query.get("request"), for: ["link"])
            ?? SignInDemand(path: query.get("return").flatMap { LocalPath($0) } ?? LocalPath())
    }

    /// Redirects the browser to the service. Each sign-in has a cookie, so that several tabs can sign in at once.
    func begin(_ demand: SignInDemand, for request: Request, user: MSALWebUser?) async -> Response {
        var parameters = MSALWebSignInParameters(scopes: demand.scopes.isEmpty ? configuration.scopes : demand.scopes)
        parameters.claims = demand.claims
        parameters.responseMode = configuration.responseMode
        parameters.prompt = demand.choosesAccount ? .selectAccount : nil
        parameters.loginHint = demand.choosesAccount ? nil : user?.loginHint
        do throws(MSALTokenError) {
            let signIn = try await application.authorizationRequest(parameters)
            let session = user == nil ? nil : request.hostCookie(Self.sessionCookie)
            let pending = PendingSignIn(request: signIn.withoutURL, demand: demand, session: session, begun: now)
            let name = Self.pendingCookie(signIn.secrets.state.exposed)
            guard let sealed = sessions.sealer.seal(pending, for: [name]) else {
                throw MSALTokenError(.configuration, message: "The scopes and claims are too long for a cookie.")
            }
            var response = Response.redirect(to: signIn.url.absoluteString)
            // Servers reject requests with too many cookies.
            let others = request.hostCookieNames(prefix: "\(Self.signInCookie)-").map { name in
                (name: name, begun: (value(in: name, of: request) as PendingSignIn?)?.begun ?? 0)
            }
            for other in others.sorted(by: { $0.begun > $1.begun }).dropFirst(Self.mostPending - 1) {
                response.setCookie(signInCookie(other.name, nil))
            }
            response.setCookie(signInCookie(name, sealed))
            return response
        } catch {
            return await failure(error, link: link(to: demand), user: user)
        }
    }

    func complete(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 << 10)
        var link = configuration.signInPath
        var outcome: Response
        var name: String?
        do throws(MSALTokenError) {
            let response =
                switch configuration.responseMode {
                case .query: try MSALWebSignInResponse(query: request.uri.query ?? "")
                case .formPost: try MSALWebSignInResponse(formBody: body.readableBytesView)
                }
            name = Self.pendingCookie(response.state ?? "")
            guard let name, let pending: PendingSignIn = value(in: name, of: request), pending.request.matches(response)
            else { return page(.beginAgain, link: link) }
            link = self.link(to: pending.demand)
            let result = try await application.acquireToken(response, for: pending.request)
            outcome = await opened(pending, result, times: value(in: Self.signInCookie, of: request) ?? [])
        } catch {
            outcome = await failure(error, link: link)
        }
        if let name { outcome.setCookie(signInCookie(name, nil)) }
        return outcome
    }

    private func opened(_ pending: PendingSignIn, _ result: MSALTokenResult, times: [Int64]) async -> Response {
        guard let user = result.homeAccountIdentifier else { return page(.beginAgain) }
        var response = Response.redirect(to: pending.demand.path.text)
        do throws(SharedStoreError) {
            let id = try await sessions.open(user: user, claims: result.idTokenClaims ?? [:])
            response.setCookie(.host(Self.sessionCookie, id, lifetime: configuration.lifetime))
        } catch {
            return page(.unavailable)
        }
        // If this fails, the earlier session ends with its lifetime.
        if let earlier = pending.session { try? await end(.session(earlier)) }
        let times = Array(times.suffix(Self.mostRepeated - 1)) + [now]
        response.setCookie(signInCookie(Self.signInCookie, sessions.sealer.seal(times, for: [Self.signInCookie])))
        return response
    }

    /// Whether sign-ins of the last minute have not led the browser to the page that it requested.
    func isLoop(_ request: Request) -> Bool {
        let times: [Int64] = value(in: Self.signInCookie, of: request) ?? []
        return times.count { abs(now - $0) < 60 } >= Self.mostRepeated
    }

    private func value<Value: Decodable>(in cookie: String, of request: Request) -> Value? {
        sessions.sealer.open(Value.self, request.hostCookie(cookie), for: [cookie])
    }

    /// A cookie for the duration of a sign-in. Browsers send no other ones with the service's form.
    private func signInCookie(_ name: String, _ value: String?) -> Cookie {
        let lifetime = value == nil ? Duration.zero : Self.pendingLifetime
        let sameSite: Cookie.SameSite = configuration.responseMode == .formPost ? .none : .lax
        return .host(name, value ?? "", lifetime: lifetime, sameSite: sameSite)
    }

    /// The cookie of a sign-in is named after a part of its state, of which enough remains secret.
    private static func pendingCookie(_ state: String) -> String {
        let tag = state.utf8.prefix(8).filter { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
        return "\(signInCookie)-\(String(decoding: tag, as: UTF8.self))"
    }

    /// Signs the user out in this browser, or in all of them, and at the service.
    func signOut(_ request: Request, user: MSALWebUser?, everywhere: Bool) async throws -> Response {
        guard let user, let id = request.hostCookie(Self.sessionCookie) else { return .redirect(to: "/") }
        guard try await user.formBody(of: request, limit: 4096) != nil else {
            throw MSALWebUser.Refusal(page: .forgedSignOut)
        }
        // This may need the user's cached data. If it is unavailable, the user is signed out only here.
        let page = try? await application.signOutURL(homeAccountIdentifier: user.homeAccountIdentifier)
        try await end(everywhere ? .user(user.homeAccountIdentifier) : .session(id))
        var response = Response.redirect(to: page?.absoluteString ?? signedOutPath)
        response.setCookie(.host(Self.sessionCookie, "", lifetime: .zero))
        return response
    }

    /// Ends the sessions of a user who signed out of another application. The service opens this address in a hidden
    /// frame, without cookies (OpenID Connect Front-Channel Logout §2).
    func signOutFromService(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        if let issuer = query.get("iss"), let id = query.get("sid") {
            try await end(.serviceSession(id, issuer: issuer))
        }
        return page(.signedOut, link: configuration.signInPath)
    }

    /// Ends sessions, and removes the tokens of users who have no others. If that fails, the tokens are useless anyway.
    private func end(_ sessions: WebSessions.Owner) async throws(SharedStoreError) {
        for user in try await self.sessions.close(sessions) {
            await application.removeTokens(homeAccountIdentifier: user)
        }
    }

    static let sessionCookie = "session"
    private var now: Int64 { application.environment.time.wholeSeconds }
    /// The cookie with the times of recent sign-ins, and the beginning of the names of those for sign-ins in progress.
    private static let signInCookie = "signin"
    /// As long as the library accepts a response.
    private static let pendingLifetime = Duration.seconds(3600)
    private static let mostPending = 4
    private static let mostRepeated = 5
}
