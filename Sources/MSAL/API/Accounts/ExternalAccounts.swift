// Licensed under the MIT License. See LICENSE.

/// Keeps the app's own account stores up to date. Their errors are logged and not propagated.
struct ExternalAccounts: Sendable {
    private let providers: UncheckedSendable<[any MSALExternalAccountProviding]>
    /// Few apps have such stores. Reading the list itself would count a reference to it, in each silent hit of each thread.
    let isEmpty: Bool

    init(_ providers: [any MSALExternalAccountProviding]) {
        self.providers = UncheckedSendable(providers)
        isEmpty = providers.isEmpty
    }

    /// Reports an account that received a token to the stores.
    func update(_ result: MSALResult) {
        let claims = result.tenantProfile.claims ?? [:]
        notify(of: "update") { try $0.update(result.account, idTokenClaims: claims) }
    }

    /// Reports the removal of an account to the stores.
    func remove(_ account: MSALAccount, wipeAccount: Bool) {
        let profiles = account.tenantProfiles
        notify(of: "remove") { try $0.remove(account, wipeAccount: wipeAccount, tenantProfiles: profiles) }
    }

    /// `own`, followed by those accounts of the app that are not in it.
    func added(to own: [MSALAccount], for parameters: MSALAccountEnumerationParameters) -> [MSALAccount] {
        var all = own
        notify(of: "accounts") { provider in
            for account in try provider.accounts(with: parameters).map(MSALAccount.init(external:)) {
                if !all.contains(account) { all.append(account) }
            }
        }
        return all
    }

    private func notify(of name: StaticString, body: (any MSALExternalAccountProviding) throws -> Void) {
        for provider in providers.value {
            do {
                try body(provider)
            } catch {
                let error = error as NSError
                LogWriter.shared.write(
                    .error,
                    message: """
                        An external account provider failed in \(name): \
                        \(error: error.domain, code: error.code, description: error.localizedDescription)
                        """
                )
            }
        }
    }
}

extension MSALAccount {
    /// An account of the app's own store, without claims.
    convenience init(external account: any MSALAccountProtocol) {
        let snapshot = AccountSnapshot(
            homeAccountID: account.identifier?.lowercased() ?? "",
            username: account.username ?? "",
            environment: account.environment
        )
        self.init(snapshot, hasProfiles: true)
    }
}
