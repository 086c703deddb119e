// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerAccess {
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
}
