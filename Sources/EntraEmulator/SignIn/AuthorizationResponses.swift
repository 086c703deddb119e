// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Responds to an authorization request with a code, an ID token, or an error.
struct AuthorizationResponses: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let editor: ServedDirectoryEditor
    let issuer: TokenIssuer
    let deviceCodes: DeviceCodes
    let windows: BrokerWindows
    let pages: Pages
    /// The lifetime of an authorization code.
    let codeLifetime: Duration

    /// Issues the requested code or ID token, and sends it.
    func grant(
        _ request: AuthorizeRequest,
        identity: SignInFlow.Identity,
        user: User,
        tenant: Tenant,
        cookies: SessionCookies,
        exchange: Exchange
    ) async throws -> Response {
        if request.isForEverybody, let target = request.target.application {
            return consented(request, at: target, in: tenant, exchange: exchange)
        }
        var entitlement = Entitlement(
            family: UUID().uuidString.lowercased(),
            userID: user.id,
            tenantID: tenant.id,
            clientID: request.client.clientID,
            scopes: request.scopes,
            authenticatedAt: identity.authenticatedAt,
            capabilities: request.capabilities
        )
        entitlement.isSinglePage = (request.target.application?.redirectURI).map(request.client.isSinglePage) ?? false
        entitlement.nonce = request.response.nonce
        entitlement.authenticationContexts = request.authenticationContexts
        entitlement.policy = request.tenantSegment.policy
        entitlement.hasSecondFactor = identity.hasSecondFactor
        entitlement.isOnManagedDevice = identity.isOnManagedDevice
        entitlement.claims = try editor.takeTokenClaims(of: user, in: tenant, clientID: request.client.clientID)
        switch request.target {
        case .device(let id):
            deviceCodes.approve(id, entitlement: entitlement)
            return pages.deviceDone(request.client.displayName, isSignedIn: true)
        case .application(let target):
            let result = BrokerWindowResult.signedIn(
                userID: user.id,
                authenticatedAt: identity.authenticatedAt,
                hasSecondFactor: identity.hasSecondFactor,
                authenticationContexts: request.authenticationContexts
            )
            if windows.finish(state: target.state, result) { return closeWindow(exchange) }
            if request.client.frontChannelLogoutURI != nil {
                let visit = BrowserSession.Visit(
                    clientID: request.client.clientID,
                    sid: entitlement.family,
                    issuer: request.response.isVersion1
                        ? TokenIssuer.issuerOfVersion1(tenantID: tenant.id)
                        : TokenIssuer.issuer(base: exchange.publicBase, tenantID: tenant.id)
                )
                try await store.note(visit, of: user.id, cookies: cookies.all)
            }
            return try await respond(
                to: request,
                at: target,
                entitlement: entitlement,
                user: user,
                tenant: tenant,
                exchange: exchange
            )
        }
    }

    /// Tells the application that an administrator has consented.
    private func consented(
        _ request: AuthorizeRequest,
        at target: RedirectTarget,
        in tenant: Tenant,
        exchange: Exchange
    ) -> Response {
        let api = directory.api(audience: request.scopes.audience)
        let prefix = request.scopes.writtenPrefix ?? api.map { $0.identifierURI + "/" } ?? ""
        let scopes = request.scopes.permissions.map { prefix + $0 } + request.scopes.openID
        var parameters = [
            ("admin_consent", "True"), ("tenant", tenant.id), ("scope", scopes.joined(separator: " ")),
        ]
        if let state = target.state { parameters.append(("state", state)) }
        return send(parameters, to: target, exchange: exchange)
    }

    private func respond(
        to request: AuthorizeRequest,
        at target: RedirectTarget,
        entitlement: Entitlement,
        user: User,
        tenant: Tenant,
        exchange: Exchange
    ) async throws -> Response {
        var parameters: [(String, String)] = []
        var code: Secret?
        if request.response.hasCode {
            let secret = Secret("1.\(Secret.random(bytes: 48).exposed)")
            let record = AuthorizationCode(
                entitlement: entitlement,
                redirectURI: target.redirectURI.text,
                codeChallenge: request.response.codeChallenge,
                isConfidential: request.client.redirectURIs.platform(of: target.redirectURI) == .web,
                expiresAt: exchange.now.addingTimeInterval(codeLifetime.seconds)
            )
            try await store.save(record, as: secret)
            parameters.append(("code", secret.exposed))
            code = secret
        }
        let context = TokenIssuer.Context(
            entitlement: entitlement,
            user: user,
            tenant: tenant,
            base: exchange.publicBase,
            now: exchange.now,
            address: exchange.clientAddress,
            isVersion1: request.response.isVersion1,
            isInFrontChannel: true
        )
        var accessToken: Secret?
        if request.response.hasAccessToken {
            let text = try await issuer.accessToken(context, scopes: request.scopes)
            accessToken = Secret(text)
            parameters += [
                ("access_token", text),
                ("token_type", "Bearer"), ("expires_in", String(issuer.lifetime.wholeSeconds)),
                ("scope", request.scopes.granted(in: directory)),
            ]
        }
        if request.response.hasIDToken {
            let token = try await issuer.idToken(
                context,
                scopes: request.scopes,
                code: code,
                accessToken: accessToken
            )
            parameters.append(("id_token", token))
        }
        parameters.append(("session_state", entitlement.family))
        if request.response.namesCloud {
            parameters.append(("cloud_instance_host_name", String(exchange.base.dropFirst("https://".count))))
            parameters.append(("cloud_instance_name", "microsoftonline.com"))
            parameters.append(("cloud_graph_host_name", "graph.windows.net"))
            parameters.append(("msgraph_host", exchange.graphHost))
        }
        if let state = target.state { parameters.append(("state", state)) }
        return send(parameters, to: target, exchange: exchange)
    }

    /// Tells the application or the device what went wrong.
    func refuse(_ failure: RedirectedError, exchange: Exchange) -> Response {
        switch failure.target {
        case .application(let target): return refuse(failure, at: target, exchange: exchange)
        case .device(let id):
            let application = deviceCodes.decline(id).map(directory.application)
            return pages.deviceDone(application??.displayName ?? "", isSignedIn: false)
        }
    }

    private func refuse(_ failure: RedirectedError, at target: RedirectTarget, exchange: Exchange) -> Response {
        if windows.finish(state: target.state, .refused(ServiceError(failure.error))) { return closeWindow(exchange) }
        let description = exchange.description(of: failure.error)
        var parameters = [("error", failure.error.error), ("error_description", description)]
        if failure.error == .declined { parameters.append(("error_subcode", "cancel")) }
        if let suberror = failure.error.suberror { parameters.append(("suberror", suberror)) }
        if let claims = failure.error.members["claims"]?.string { parameters.append(("claims", claims)) }
        if let state = target.state { parameters.append(("state", state)) }
        parameters.append(("correlation_id", exchange.correlationID))
        return send(parameters, to: target, exchange: exchange)
    }

    /// Redirects the browser to the final page of a sign-in whose result the broker receives separately.
    private func closeWindow(_ exchange: Exchange) -> Response {
        .redirect(to: "\(exchange.base)/common/oauth2/nativeclient", after: exchange.method)
    }

    private func send(_ parameters: [(String, String)], to target: RedirectTarget, exchange: Exchange) -> Response {
        switch target.mode {
        case .query, .fragment: .redirect(to: target.location(with: parameters), after: exchange.method)
        case .formPost: pages.formPost(to: target.redirectURI.text, parameters: parameters)
        }
    }
}
