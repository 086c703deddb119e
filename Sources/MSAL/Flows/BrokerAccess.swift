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
    package var isAsked: Bool { refusal(for: authorityRules.configured) == nil && broker.quickAvailability().isPresent }

    /// Whether a broker may be used for the authority, and is available.
    func isAvailable(for authority: Authority) async -> Bool {
        guard refusal(for: authority) == nil else { return false }
        return await broker.availability().isPresent
    }

    /// Runs a call of the broker and turns its failure into the client's error.
    func asked<Value>(_ call: () async throws(BrokerFailure) -> Value) async throws(AuthError) -> Value {
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

    /// The cookies that sign a browser in at the sign-in page.
    ///
    /// `homeAccountID`: The account of the cookies; `nil` takes the broker's only account.
    ///
    /// - Throws: `.invalidParameter` for an address that is not one of the authority's; `.broker(.notAvailable)` where no
    ///   broker can be used; `.ambiguousAccount` and `.accountRequired` where the account is not clear; else what the
    ///   broker reports.
    /// - SeeAlso: docs/reference/Broker.md#cookies.
    package func ssoCookies(for url: URL, homeAccountID: String?) async throws(AuthError) -> [BrokerCookie] {
        let authority = authorityRules.configured
        let correlationID = Log.correlationID ?? .random()
        try checkSignInPage(url, of: authority)
        if let refusal = refusal(for: authority) {
            throw AuthError(.broker(.notAvailable), message: "There are no cookies, because \(refusal).")
        }
        if case .absent(let reason) = await broker.availability() {
            throw AuthError(.broker(.notAvailable), message: "There are no cookies, because \(reason).")
        }
        let listed = try await asked { () async throws(BrokerFailure) in
            try await listedAccounts(for: authority, correlationID: correlationID)
        }
        let request = BrokerCookieRequest(
            clientID: clientID,
            authority: authority.url,
            url: url,
            account: try cookieOwner(homeAccountID, among: listed),
            correlationID: correlationID
        )
        return try await asked { () async throws(BrokerFailure) in
            try await broker.singleSignOnCookies(request)
        }
    }

    /// - Returns: `nil` if the broker lists no account. Some brokers then sign in the user of the device.
    private func cookieOwner(
        _ homeAccountID: String?,
        among listed: [BrokerAccount]
    ) throws(AuthError) -> BrokerAccount? {
        guard let homeAccountID else {
            guard listed.count <= 1 else {
                throw AuthError(.ambiguousAccount, message: "The identity broker has several accounts. Specify one.")
            }
            return listed.first
        }
        guard let account = listed.account(homeAccountID) else {
            throw AuthError(.accountRequired, message: "The identity broker does not have the account.")
        }
        return account
    }

    /// The cookie signs its bearer in. No other service may get one by a mistake.
    private func checkSignInPage(_ url: URL, of authority: Authority) throws(AuthError) {
        let host = (url.host() ?? "").lowercased() + (url.port.map { ":\($0)" } ?? "")
        let names = authorities.environments(for: authority).lookup
        guard url.scheme?.lowercased() == "https", names.contains(where: { $0.lowercased() == host }) else {
            throw AuthError(
                .invalidParameter,
                message: "Cookies are only for the sign-in page: an https address at \(authority.environment)."
            )
        }
    }

    /// The device as the broker knows it. Without a broker nothing is known, which is not an error.
    ///
    /// - Throws: `.broker(.notAvailable)` where the app or the authority rules a broker out; else what the broker reports.
    /// - SeeAlso: docs/reference/Broker.md#device.
    package func device() async throws(AuthError) -> DeviceSnapshot {
        try checkUse()
        return try await knownDevice()
    }

    /// - Throws: `.broker(.notAvailable)` where the app or the authority rules a broker out.
    package func checkUse() throws(AuthError) {
        guard let refusal = refusal(for: authorityRules.configured) else { return }
        throw AuthError(.broker(.notAvailable), message: "The device is not known, because \(refusal).")
    }

    /// The registration of the device in a tenant, `nil` for the first one. It is empty where there is none.
    ///
    /// - Throws: What the broker reports.
    package func registration(tenantID: String?) async throws(AuthError) -> DeviceSnapshot {
        guard refusal(for: authorityRules.configured) == nil else { return DeviceSnapshot() }
        let device = try await knownDevice()
        guard let tenantID, !tenantID.isEmpty else { return device }
        return device.tenantID?.caseInsensitiveCompare(tenantID) == .orderedSame ? device : DeviceSnapshot()
    }

    private func knownDevice() async throws(AuthError) -> DeviceSnapshot {
        let id = Log.correlationID ?? .random()
        guard await broker.availability().isPresent else { return DeviceSnapshot() }
        let device: BrokerDevice
        do throws(BrokerFailure) {
            device = try await broker.information(correlationID: id).device ?? BrokerDevice()
        } catch {
            guard error.kind.leavesToOthers else { throw AuthError(error) }
            return DeviceSnapshot()
        }
        var snapshot = DeviceSnapshot()
        snapshot.isShared = device.isShared
        snapshot.prefersQRPIN = device.preferredAuthMethod?.lowercased() == "qrpin"
        guard device.isRegistered != false else { return snapshot }
        snapshot.deviceID = device.deviceID
        snapshot.tenantID = device.tenantID
        snapshot.certificateThumbprint = device.certificateThumbprint
        guard let owner = await owner(of: device, correlationID: id) else { return snapshot }
        snapshot.username = owner.username
        snapshot.tenantID = device.tenantID ?? owner.realm ?? owner.homeTenantID
        snapshot.cloud = owner.environment
        return snapshot
    }

    /// The user for whom the device is registered: the broker's first account of that tenant. Without an owner, the way
    /// in which the device is shared is still worth knowing.
    private func owner(of device: BrokerDevice, correlationID: UUID) async -> BrokerAccount? {
        do throws(BrokerFailure) {
            return try await listedAccounts(for: authorityRules.configured, correlationID: correlationID)
                .first { $0.belongs(toTenant: device.tenantID) }
        } catch {
            Log.info("The user of the device's registration is not known: \(error.message)")
            return nil
        }
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

    fileprivate var homeTenantID: String? { AccountReference(homeAccountID: homeAccountID, username: nil).homeTenantID }

    fileprivate func belongs(toTenant tenantID: String?) -> Bool {
        guard let tenantID else { return true }
        return [realm, homeTenantID].contains { $0?.caseInsensitiveCompare(tenantID) == .orderedSame }
    }
}

/// The facts that a broker reports about the device and its registration.
package struct DeviceSnapshot: Sendable, Hashable {
    package var isShared = false
    package var prefersQRPIN = false
    /// The user, tenant and cloud of the registration, the ID of the device and the thumbprint of its certificate.
    package var username: String?
    package var tenantID: String?
    package var cloud: String?
    package var deviceID: String?
    package var certificateThumbprint: String?

    package init() {}
}
