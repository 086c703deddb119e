// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALServer

// The steps of a sign-in in the browser: the client's request, the user's decision, and the service's response. No state for
// the service exists before the decision (Model Context Protocol, "Security Best Practices", confused deputy).
extension MSALAuthorizationAdapter {
    /// The client's request.
    func authorize(_ request: Request) async -> Response {
        var target: (redirectURI: String, state: String?)?
        do throws(OAuthError) {
            guard let parameters = try? FormParameters((request.uri.query ?? "").utf8) else {
                throw .request("The parameters are malformed, too long, or have a duplicate.")
            }
            let redirectURI = parameters["redirect_uri"] ?? ""
            let client = try await client(parameters["client_id"] ?? "", redirectingTo: redirectURI)
            target = (redirectURI, parameters["state"])
            let authorization = try ClientAuthorization(
                parameters,
                of: client,
                redirectURI: redirectURI,
                rules: rules,
                at: now
            )
            let approval = sealer.open(
                Int64.self,
                request.cookie(approvalCookie(authorization)),
                for: authorization.approval
            )
            if let approval, approval > now { return try await signIn(authorization) }
            guard authorization.prompt != "none" else {
                throw .refusal("consent_required", "The user has to agree first.")
            }
            let earlier = request.cookie(cookieName("form"))
            let browser = earlier.utf8.count == 43 ? earlier : Base64URL.encode(application.environment.random(32))
            guard let form = sealer.seal(authorization, for: ["form", browser]) else { throw .failed }
            var page = AdapterPages.consent(authorization, of: client, server: resource.name ?? issuer, form: form)
            page.setCookie(cookie(cookieName("form"), browser, lifetime: Self.lifetime))
            return page
        } catch {
            // Without a trusted redirect URI, the error is not sent there (RFC 6749 §4.1.2.1).
            guard let target else { return AdapterPages.problem(error) }
            return answer(error, to: target.redirectURI, state: target.state)
        }
    }

    /// The client with an ID, if it may use this redirect URI.
    private func client(_ id: String, redirectingTo uri: String) async throws(OAuthError) -> AdapterClient {
        let registered = allowsRegistration ? sealer.open(AdapterClient.self, id, for: ["client"]) : nil
        let client: AdapterClient
        if let registered {
            client = registered
        } else if let url = DocumentedClients.url(id) {
            client = try await clients.client(at: url)
        } else {
            throw .client("The client is not known here.")
        }
        guard redirects.contains(uri), RedirectAllowList(client.redirectURIs).contains(uri) else {
            throw .request("The redirect URI is not allowed for this client.")
        }
        return client
    }

    /// The user's decision, from the form of the consent page.
    func decide(_ request: Request) async -> Response {
        let browser = request.cookie(cookieName("form"))
        guard let parameters = await request.form(),
            let authorization = sealer.open(ClientAuthorization.self, parameters["form"], for: ["form", browser]),
            isFresh(authorization.begun)
        else { return AdapterPages.problem(.request("The page has expired, or belongs to another browser.")) }
        guard parameters["action"] == "accept" else {
            return answer(.refusal("access_denied", "The user did not agree."), to: authorization)
        }
        do throws(OAuthError) {
            // The document may have changed in the meantime.
            _ = try await client(authorization.clientID, redirectingTo: authorization.redirectURI)
        } catch {
            return AdapterPages.problem(error)
        }
        do throws(OAuthError) {
            var response = try await signIn(authorization)
            let isRemembered = !RedirectAllowList.isLoopback(authorization.redirectURI)
            if isRemembered, let approval = sealer.seal(now + Self.approvalLifetime, for: authorization.approval) {
                let name = approvalCookie(authorization)
                response.setCookie(cookie(name, approval, lifetime: Self.approvalLifetime))
            }
            return response
        } catch {
            return answer(error, to: authorization)
        }
    }

    /// Sends the browser to the service, with a cookie that binds the sign-in to this browser.
    private func signIn(_ authorization: ClientAuthorization) async throws(OAuthError) -> Response {
        let random = application.environment.random
        let (flow, browser) = (Base64URL.encode(random(6)), Base64URL.encode(random(32)))
        let pkce = PKCE(random: random)
        var authorization = authorization
        authorization.begun = now
        authorization.verifier = pkce.verifier.exposed
        guard let state = sealer.seal(authorization, for: ["state", flow, browser]) else { throw .failed }
        var query = FormBody()
        query.set(.clientID, to: application.configuration.clientId)
        query.set(.responseType, to: "code")
        query.set(.redirectURI, to: redirectUri)
        query.set(.responseMode, to: "query")
        query.set(.scope, to: authorization.scopes.joined(separator: " "))
        query.set(.state, to: "\(flow).\(state)")
        query.set(.codeChallenge, to: pkce.challenge)
        query.set(.codeChallengeMethod, to: pkce.method)
        query.set(.loginHint, to: authorization.loginHint)
        query.set(.domainHint, to: authorization.domainHint)
        query.set(.prompt, to: authorization.prompt)
        var response = Response.forward(
            to: query.appended(to: try await service().authorizationEndpoint).absoluteString
        )
        response.setCookie(cookie(cookieName("flow-\(flow)"), browser, lifetime: Self.lifetime))
        return response
    }

    private func service() async throws(OAuthError) -> ResolvedAuthority {
        do throws(MSALTokenError) {
            return try await application.resolved(application.authority, correlationID: .random())
        } catch {
            throw OAuthError(error)
        }
    }

    /// The service's response, sent through the browser.
    func callback(_ request: Request) async -> Response {
        let parameters = try? FormParameters((request.uri.query ?? "").utf8)
        let parts = (parameters?["state"] ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        let flow = parts.first ?? ""
        let context = ["state", flow, request.cookie(cookieName("flow-\(flow)"))]
        guard let parameters, let authorization = sealer.open(ClientAuthorization.self, parts.last, for: context),
            let verifier = authorization.verifier, isFresh(authorization.begun)
        else { return AdapterPages.problem(.request("The sign-in has ended, or began in another browser.")) }
        var response: Response
        do throws(OAuthError) {
            let code = try await code(in: parameters)
            let grant = SealedGrant(value: code, verifier: verifier, scopes: authorization.scopes, begun: now)
            let context = ["code", authorization.clientID, authorization.redirectURI, authorization.challenge]
            guard let sealed = sealer.seal(grant, for: context) else { throw .failed }
            response = answer(["code": sealed], to: authorization.redirectURI, state: authorization.state)
        } catch {
            response = answer(error, to: authorization)
        }
        // A state is valid once.
        response.setCookie(cookie(cookieName("flow-\(flow)"), "", lifetime: 0))
        return response
    }

    /// The code in the service's response.
    private func code(in parameters: FormParameters) async throws(OAuthError) -> String {
        let service = try await service()
        do throws(RedirectResponse.Failure) {
            return try RedirectResponse(afterStateOf: { parameters[$0] }) { iss in
                service.configuration.acceptsResponseIssuer(iss, authority: service.authority)
            }.code.exposed
        } catch {
            let known = [
                "access_denied", "consent_required", "interaction_required", "login_required", "invalid_scope",
            ]
            guard case .refused(let error) = error, known.contains(error.error) else { throw .failed }
            throw error
        }
    }

    private func answer(_ error: OAuthError, to authorization: ClientAuthorization) -> Response {
        answer(error, to: authorization.redirectURI, state: authorization.state)
    }

    private func answer(_ error: OAuthError, to redirectURI: String, state: String?) -> Response {
        let parameters = ["error": error.error, "error_description": error.description ?? ""]
        return answer(parameters, to: redirectURI, state: state)
    }

    /// The response to the client, through the browser (RFC 6749 §4.1.2, RFC 9207).
    private func answer(_ parameters: [String: String], to redirectURI: String, state: String?) -> Response {
        var form = FormBody()
        form.merge(parameters)
        form.set(.state, to: state)
        form.set("iss", to: issuer)
        return .forward(to: redirectURI + (redirectURI.contains("?") ? "&" : "?") + form.query)
    }

    // MARK: Cookies

    /// The seconds for which a user's approval is remembered: 30 days.
    private static let approvalLifetime: Int64 = 2_592_000

    private func approvalCookie(_ authorization: ClientAuthorization) -> String {
        let digest = PKCE(verifier: Secret(authorization.approval.joined(separator: "\n"))).challenge
        return cookieName("approval-\(digest.prefix(16))")
    }

    private func cookieName(_ name: String) -> String { "\(isSecure ? "__Host-" : "")mcp-\(name)" }

    private func cookie(_ name: String, _ value: String, lifetime: Int64) -> Cookie {
        Cookie(name: name, value: value, maxAge: Int(lifetime), path: "/", secure: isSecure, sameSite: .lax)
    }
}

extension Request {
    /// The value of a cookie; empty if there is none.
    fileprivate func cookie(_ name: String) -> String { cookies[name]?.value ?? "" }

    /// The parameters of a form; `nil` if the body is not one, is too large, or ends early.
    func form() async -> FormParameters? {
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard type == "application/x-www-form-urlencoded",
            let body = try? await body.collect(upTo: FormParameters.maximumBytes)
        else { return nil }
        return try? FormParameters(body.readableBytesView)
    }
}

extension Response {
    /// Redirects the browser, which then neither submits a form again nor sends a `Referer`.
    fileprivate static func forward(to address: String) -> Response {
        var response = Response(status: .seeOther, headers: AdapterPages.protection)
        response.headers[.location] = address
        return response
    }
}
