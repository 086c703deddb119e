// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// Sends the answer of an authorization request to the application: a code, an id token, or an error.
struct AuthorizationAnswer: Sendable {
    let platform: Platform

    /// Issues what the request asked for and sends it.
    func grant(
        _ request: AuthorizationRequest,
        identity: SignInFlow.Identity,
        user: User,
        tenant: Tenant,
        _ exchange: Exchange
    ) async throws -> Response {
        var entitlement = Entitlement(
            family: UUID().uuidString.lowercased(),
            userID: user.id,
            tenantID: tenant.id,
            clientID: request.client.clientID,
            scopes: request.scopes,
            authenticatedAt: identity.authenticatedAt,
            capabilities: request.capabilities,
            isSinglePage: (request.reply.application?.redirectURI).map(request.client.isSinglePage) ?? false,
            nonce: request.nonce
        )
        entitlement.policy = request.tenantSegment.policy
        entitlement.hasSecondFactor = identity.hasSecondFactor
        switch request.reply {
        case .device(let id):
            platform.deviceCodes.approve(id, entitlement)
            return platform.pages.deviceDone(request.client.displayName, isSignedIn: true)
        case .application(let reply):
            return try await answer(request, reply, entitlement, user, tenant, exchange)
        }
    }

    private func answer(
        _ request: AuthorizationRequest,
        _ reply: ApplicationReply,
        _ entitlement: Entitlement,
        _ user: User,
        _ tenant: Tenant,
        _ exchange: Exchange
    ) async throws -> Response {
        var parameters: [(String, String)] = []
        var code: Secret?
        if request.responseType.code, let challenge = request.codeChallenge {
            let secret = Secret("1.\(Secret.random(bytes: 48).revealed)")
            let record = AuthorizationCode(
                entitlement: entitlement,
                redirectURI: reply.redirectURI.text,
                codeChallenge: challenge,
                expiresAt: exchange.now.addingTimeInterval(platform.configuration.codeLifetime.seconds)
            )
            try await platform.store.save(record, as: secret)
            parameters.append(("code", secret.revealed))
            code = secret
        }
        if request.responseType.idToken {
            let context = TokenIssuer.Context(
                entitlement: entitlement,
                user: user,
                tenant: tenant,
                base: exchange.base,
                now: exchange.now
            )
            let token = try await platform.issuer.idToken(context, scopes: request.scopes, code: code)
            parameters.append(("id_token", token))
        }
        parameters.append(("session_state", entitlement.family))
        if request.isInstanceAware {
            parameters.append(("cloud_instance_host_name", String(exchange.base.dropFirst("https://".count))))
            parameters.append(("cloud_instance_name", "microsoftonline.com"))
            parameters.append(("cloud_graph_host_name", "graph.windows.net"))
            parameters.append(("msgraph_host", exchange.graphHost))
        }
        if let state = reply.state { parameters.append(("state", state)) }
        return send(parameters, to: reply, exchange)
    }

    /// Tells the application, or the device, what went wrong.
    func refuse(_ failure: RedirectedError, _ exchange: Exchange) -> Response {
        switch failure.reply {
        case .application(let reply): return refuse(failure, reply, exchange)
        case .device(let id):
            let application = platform.deviceCodes.decline(id).map(platform.directory.application)
            return platform.pages.deviceDone(application??.displayName ?? "", isSignedIn: false)
        }
    }

    private func refuse(_ failure: RedirectedError, _ reply: ApplicationReply, _ exchange: Exchange) -> Response {
        let description = ErrorRendering.description(failure.error, exchange)
        var parameters = [("error", failure.error.error), ("error_description", description)]
        if failure.error == .declined { parameters.append(("error_subcode", "cancel")) }
        if let state = reply.state { parameters.append(("state", state)) }
        parameters.append(("correlation_id", exchange.correlationID))
        return send(parameters, to: reply, exchange)
    }

    private func send(_ parameters: [(String, String)], to reply: ApplicationReply, _ exchange: Exchange) -> Response {
        switch reply.mode {
        case .query, .fragment: .redirect(to: reply.location(with: parameters), after: exchange.method)
        case .formPost: platform.pages.formPost(to: reply.redirectURI.text, parameters: parameters)
        }
    }
}
