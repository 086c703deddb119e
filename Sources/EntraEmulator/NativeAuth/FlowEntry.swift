// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `/oauth2/v2.0/authorize-challenge`: the entry point of every flow, which also returns the authorization code at the
/// end.
struct FlowEntry: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let consents: Consents
    let steps: FlowSteps
    let progress: FlowProgress
    /// The lifetime of the authorization code.
    let codeLifetime: Duration

    /// Starts a flow: returns a token, and a link for each possible start of a flow.
    ///
    /// - Throws: `EntraError`; the entry point uses the OAuth format.
    func begin(_ exchange: Exchange, at place: FlowTenant) throws -> Response {
        let request = try NativeRequest(exchange, tenant: place.tenant, directory: directory)
        let branches = FlowBranches(request.policy.v2, steps.settings.v2)
        guard branches.isEnabled else { throw EntraError.nativeDisabled(request.client.clientID) }
        _ = try RequestedClaims.capabilities(in: request["claims"])
        let flow = NativeAuthV2Flow(
            id: Secret.random(bytes: 16).exposed,
            tenantID: place.tenant.id,
            clientID: request.client.clientID,
            scopes: try RequestedScopes(native: request["scope"], in: directory),
            claims: request["claims"]
        )
        let token = steps.flows.begin(flow, now: exchange.now)
        let links = place.links(of: flow.id, base: exchange.base, branches: branches)
        let members = links.entryMembers(token, branches: branches)
        return .json(.object(members), status: .init(code: branches.entryStatus.rawValue))
    }

    // MARK: Authorization code

    /// Returns the authorization code, or requests a missing step.
    func resume(_ request: FlowCall) async throws -> Response {
        guard request.step == .finished else { throw steps.invalidContinuation }
        guard let user = request.user else { throw EntraError.unknownUser }
        guard user.isEnabled else { throw EntraError.disabledUser }
        if user.customer?.isLocked == true { throw EntraError.lockedUser }
        if let answer = try progress.fallback(of: request, at: .atResume) { return answer }
        if let answer = try progress.demand(of: user, in: request, isResumed: true) { return answer }
        let scopes = try await consents.checked(request.flow.scopes, by: user, to: request.client, in: request.tenant)
        try steps.end(request)
        let code = Secret.random()
        try await store.save(authorizationCode(for: user, scopes: scopes, in: request), as: code)
        return .json(["code": .string(code.exposed)])
    }

    private func authorizationCode(for user: User, scopes: RequestedScopes, in request: FlowCall) -> AuthorizationCode {
        let flow = request.flow
        var entitlement = Entitlement(
            native: user,
            client: request.client,
            scopes: scopes,
            claims: flow.claims,
            hasSecondFactor: flow.hasSecondFactor,
            now: request.now
        )
        if case .granted(let contexts) = progress.decision(on: user, in: request) {
            entitlement.authenticationContexts = contexts
        }
        return AuthorizationCode(
            entitlement: entitlement,
            redirectURI: nil,
            codeChallenge: nil,
            // After a sign-up or a reset, the app requests its own scopes when it signs the user in.
            mayAskForOtherScopes: flow.purpose != .signIn,
            expiresAt: request.now.addingTimeInterval(codeLifetime.seconds)
        )
    }
}
