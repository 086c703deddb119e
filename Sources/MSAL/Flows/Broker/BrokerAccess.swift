// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore

/// The identity broker of this machine, as far as a client may use it (docs/reference/Broker.md#use).
package struct BrokerAccess: Sendable {
    let clientID: String
    let authorityRules: ClientConfiguration.AuthorityRules
    let use: ClientConfiguration.Broker
    let broker: any IdentityBroker
    let authorities: AuthorityResolver
    let known: BrokerAccountMemory

    /// The reason why no broker may be used for an authority, without a full stop; `nil` if one may.
    package func refusal(for authority: Authority) -> String? {
        guard authorityRules.emulator == nil else {
            return "\(EmulatorAddress.variable) is set, and the users of an emulator are in no identity broker"
        }
        guard use.isAllowed else { return "the app allows no identity broker (brokerAvailability)" }
        guard !use.acceptsAnyRedirectURI else {
            return "the app accepts every redirect URI (bypassRedirectURIValidation), and that turns the broker off"
        }
        guard authority.kind == .aad else {
            return "an identity broker signs in to Microsoft Entra ID only, and the authority is of another kind"
        }
        guard authority.tenantKind != .consumers, authority.realm != Authority.personalTenantID else {
            return "an identity broker signs in work and school accounts only, and the authority is for personal ones"
        }
        return nil
    }

    /// The reason why no broker may be used for a sign-in; `nil` if one may.
    func refusal(for request: InteractiveRequest, authority: Authority) -> String? {
        if request.token.keepsOneAccount { return "native authentication uses no identity broker" }
        if request.token.proofKey != nil {
            return "an identity broker binds tokens to a key of its own, not to the app's"
        }
        if request.prompt == .create { return "an identity broker has no page to sign up" }
        return refusal(for: authority)
    }

    /// Whether the broker is asked for device-wide accounts now. It takes the caller's thread for a quarter of a second at
    /// most.
    package var isAsked: Bool {
        refusal(for: authorityRules.configured) == nil && broker.quickAvailability().isPresent
    }

    /// Whether a broker may be used for the authority, and one is there.
    func isAvailable(for authority: Authority) async -> Bool {
        guard refusal(for: authority) == nil else { return false }
        return await broker.availability().isPresent
    }

    /// Runs a call of the broker and turns its failure into the client's error.
    func asked<Value>(
        _ call: () async throws(BrokerFailure) -> Value
    ) async throws(AuthError) -> Value {
        do {
            return try await call()
        } catch {
            throw AuthError(error)
        }
    }

    /// The accounts that the broker shows to this client and that belong to the authority's cloud. Others are left out: a
    /// device may know several clouds.
    ///
    /// `other`: The broker that is asked; `nil` takes the machine's.
    func listedAccounts(
        for authority: Authority,
        correlationID: UUID,
        by other: (any IdentityBroker)? = nil
    ) async throws(BrokerFailure) -> [BrokerAccount] {
        let listed = try await (other ?? broker).accounts(
            BrokerAccountsRequest(clientID: clientID, correlationID: correlationID)
        )
        let usable = listed.filter { isOfCloud($0, of: authority) && $0.hasCleanTexts && !$0.homeAccountID.isEmpty }
        usable.forEach(known.remember)
        return usable
    }

    /// Whether the account belongs to the authority's cloud, under whatever name of it.
    func isOfCloud(_ account: BrokerAccount, of authority: Authority) -> Bool {
        let names = authorities.environments(for: authority).lookup
        return names.contains { $0.caseInsensitiveCompare(account.environment) == .orderedSame }
    }
}

extension [BrokerAccount] {
    /// The account with this identifier, in any letter case.
    func account(_ homeAccountID: String) -> BrokerAccount? {
        first { $0.homeAccountID.normalizedKey == homeAccountID.normalizedKey }
    }
}

extension BrokerAccount {
    /// Whether none of the texts has control characters, which could change the meaning of a key, a header or a
    /// terminal line.
    var hasCleanTexts: Bool {
        ![homeAccountID, localAccountID, realm, environment, username, name, clientInfo]
            .contains { $0?.hasControlCharacters == true }
    }

    /// The account as the client shows it.
    func snapshot(environment: String) -> AccountSnapshot {
        let homeTenant = AccountReference(homeAccountID: homeAccountID, username: nil).homeTenantID
        let profile = TenantProfileSnapshot(
            identifier: localAccountID,
            tenantID: realm ?? homeTenant,
            environment: environment,
            isHome: realm == nil || realm?.lowercased() == homeTenant?.lowercased()
        )
        return AccountSnapshot(
            homeAccountID: homeAccountID.normalizedKey,
            username: username,
            environment: environment,
            tenantProfiles: [profile],
            clientInfo: clientInfo,
            isBrokers: true
        )
    }
}
