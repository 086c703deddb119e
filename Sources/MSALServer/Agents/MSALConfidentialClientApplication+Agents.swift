// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Returns a client that acts as an agent identity of this application, which is its blueprint (Microsoft Entra Agent
    /// ID).
    ///
    /// The client has all members of an application: ``acquireTokenForClient(scopes:options:)`` gets a token for the agent
    /// itself, ``acquireTokenForAgentUser(_:scopes:options:)`` for the agent's user account, and
    /// ``acquireTokenOnBehalfOf(_:scopes:options:)`` for a person whose token was issued for the blueprint. It shares the
    /// caches and the settings of this application. Creating it sends no request, so a service may create it for each
    /// request.
    ///
    /// ```swift
    /// let agent = try application.agent(id: agentID)
    /// let own = try await agent.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
    /// let user = try await agent.acquireTokenForAgentUser(
    ///     .name("assistant@contoso.com"),
    ///     scopes: ["https://graph.microsoft.com/Mail.Send"]
    /// )
    /// print("Use the tokens until \(own.expiresOn) and \(user.expiresOn).")
    /// ```
    ///
    /// - Parameter id: The client ID of the agent, a GUID.
    /// - Returns: The client of the agent. An error that it throws names the request that failed.
    /// - Throws: `.configuration` if the ID is not a GUID, if this application is itself an agent, or if its authority is
    ///   an ``MSALServerAuthority/oidc(_:)`` issuer. Correct it.
    public func agent(id: String) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        guard authority.kind != .oidc else {
            throw MSALTokenError(
                .configuration,
                message: "Only Microsoft Entra has agents. Call the issuer \(authority) as the application."
            )
        }
        guard UUID(uuidString: id) != nil else {
            throw MSALTokenError(
                .configuration,
                message: "\"\(id)\" is not the ID of an agent. Pass its client ID, a GUID."
            )
        }
        guard !(authentication is AgentAuthentication) else {
            throw MSALTokenError(
                .configuration,
                message: "Agent \(configuration.clientId) cannot act as another agent. Call its blueprint."
            )
        }
        var settings = configuration
        settings.clientId = id.lowercased()
        settings.credential = MSALClientCredential("agent") { [self] environment in
            AgentAuthentication(
                blueprint: self,
                agentID: id.lowercased(),
                userTokens: AccessTokenSource(
                    cache: configuration.cache.appTokens,
                    environment: environment,
                    policy: .init(keepsPauses: true),
                    observer: configuration.options.refreshObserver
                )
            )
        }
        return try MSALConfidentialClientApplication(configuration: settings, environment: environment)
    }

    /// Acquires a token for the user account of an agent. Only a client that ``agent(id:)`` returned can do so.
    ///
    /// The token is cached for this agent, this name of the account, and these scopes. A token of another account is never
    /// returned, even if it is the only one. The account is also kept under the identifier in the result, for
    /// ``acquireTokenSilent(homeAccountIdentifier:scopes:options:)``.
    ///
    /// - Parameters:
    ///   - user: The account.
    ///   - scopes: The scopes of one API, such as `https://graph.microsoft.com/Mail.Send`, or its `.default`.
    ///   - options: Other options of the call.
    /// - Returns: The token and its source.
    /// - Throws: `.configuration` if this application is not an agent; `.invalidScopes` or `.tenantRequired` before any
    ///   request is sent; `.consentRequired` if an administrator has to grant the permissions to the agent;
    ///   `.interactionRequired` if a policy requires what an agent cannot do: tell the administrator; `.network` or
    ///   `.serviceUnavailable`, after which the call can be retried; or another error that the service returned.
    nonisolated(nonsending) public func acquireTokenForAgentUser(
        _ user: MSALAgentUser,
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        guard let agent = authentication as? AgentAuthentication else {
            throw MSALTokenError(
                .configuration,
                message: "Only an agent has a user account. Call agent(id:), and then this function of the result."
            )
        }
        let scopes = try OnBehalfOfRequest.scopes(scopes, clientID: configuration.clientId, authority: authority)
        let realm = try OnBehalfOfRequest.tenant(requested: options.tenant, own: ownRealm, of: authority)
        var components = options.keyComponents
        // No other request may have this component (`MSALTokenOptions.reserved`).
        let (name, value) = user.parameter
        components[name] = value
        let key = AccessTokenKey(
            partition: partition,
            realm: realm,
            target: scopes.normalized.sorted().joined(separator: " "),
            components: CacheKeyComponents.hash(of: components)
        )
        return try await agent.userTokens.token(
            for: key,
            flow: .agentUser,
            options: options,
            request: { [self] () throws(MSALTokenError) in
                try await requestToken(of: user, scopes: scopes, realm: realm, options: options)
            }
        )
    }

    /// Gets T2, and exchanges it for a token of the user account.
    @concurrent private func requestToken(
        of user: MSALAgentUser,
        scopes: ScopeSet,
        realm: String,
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> CachedAccessToken {
        try await environment.logged(as: options.correlationID) { [self] () throws(MSALTokenError) in
            let correlationID = options.correlationID ?? .random()
            var proofOptions = MSALTokenOptions()
            (proofOptions.tenant, proofOptions.correlationID) = (realm, correlationID)
            let proof = try await acquireTokenForClient(
                scopes: [AgentAuthentication.exchangeScope(of: authority)],
                options: proofOptions
            )
            var form = try userForm(MSALAgentUser.grantType, scopes: scopes, options: options)
            try options.addComponents(to: &form)
            form.set("user_federated_identity_credential", to: proof.accessToken)
            form.set(user.parameter.name, to: user.parameter.value)
            let response = try await redeem(
                form,
                tenant: realm,
                options: options,
                correlationID: correlationID,
                mailbox: user.mailbox(in: realm)
            )
            let requested = try ClientCredentialsRequest.authority(authority, asking: realm)
            let (token, account) = try await accept(
                response,
                checking: .refresh,
                scopes: scopes,
                authority: requested,
                resolved: environment.authorities.heldResolution(of: requested),
                correlationID: correlationID
            )
            try check(account, is: user, correlationID: correlationID)
            try Self.check(scopes.declined(grantedBy: ScopeSet(token.scopes)), of: token)
            await users.signIn(
                account,
                as: userKey(account.homeAccountID),
                token: token,
                for: UserTokenCache.Query(realm: self.realm(of: requested, for: account.homeAccountID), scopes: scopes),
                refreshToken: response.refreshToken
            )
            return token
        }
    }

    /// Compares the account of a response with the requested object ID. A name may have changed, so the service decides
    /// about it.
    private func check(_ account: TokenUser, is user: MSALAgentUser, correlationID: UUID) throws(MSALTokenError) {
        guard case .objectId(let id) = user else { return }
        let found = account.text("oid") ?? account.homeAccountID.split(separator: ".").first.map(String.init)
        guard id.isSameID(as: found) else {
            throw MSALTokenError(
                .invalidResponse,
                message: "The service sent tokens of another user. Nothing was kept.",
                correlationID: correlationID
            )
        }
    }
}
