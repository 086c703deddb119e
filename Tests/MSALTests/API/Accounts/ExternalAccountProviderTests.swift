// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

/// The app's own account store is notified of changes and queried for accounts, and its failures do not affect a call.
struct ExternalAccountProviderTests {
    private let provider = Provider()

    private func bench() throws -> BadInputBench {
        let bench = try BadInputBench { $0.cacheConfig.addExternalAccountProvider(provider) }
        bench.setResponse()
        return bench
    }

    @Test func `a sign-in and a renewal are reported with the user's claims`() async throws {
        let bench = try bench()

        _ = try await bench.signIn()
        _ = try await bench.renew()

        #expect(provider.calls == ["update \(Contoso.username)", "update \(Contoso.username)"])
    }

    @Test func `the app's accounts come after the library's, without duplicates`() async throws {
        provider.accounts = ["amy", "bob"]
        let application = try bench().application

        let names = try application.allAccounts().map(\.username)
        let asynchronous = try await application.accountsFromDevice(for: .init()).map(\.username)

        #expect(names == [Contoso.username, "bob@contoso.example"])
        #expect(asynchronous == names)
        #expect(try application.account(forIdentifier: "bob.\(Contoso.tenant)").environment == "login.windows.net")
        #expect(provider.asked == [nil, nil, "bob.\(Contoso.tenant)"])
    }

    @Test func `a removal is reported, with a flag for all clients`() async throws {
        let (first, second) = (try bench(), try bench())
        let account = try first.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSignoutParameters()
        parameters.wipeAccount = true

        try first.application.remove(account)
        _ = try await second.application.signout(with: account, signoutParameters: parameters)

        #expect(provider.calls == ["remove \(Contoso.username) false", "remove \(Contoso.username) true"])
    }

    @Test func `a provider that fails does not affect the call`() async throws {
        let bench = try bench()
        provider.fails = true

        let token: String = try await bench.signIn().accessToken
        let accounts = try bench.application.allAccounts()
        try bench.application.remove(accounts.first)

        #expect(token == "secret-new-access-token")
        #expect(accounts.map(\.username) == [Contoso.username])
        #expect(provider.calls.count == 2)
    }
}

/// Records its calls and returns the accounts that a test sets.
private final class Provider: NSObject, MSALExternalAccountProviding, Sendable {
    private struct State {
        var calls: [String] = []
        var asked: [String?] = []
        var accounts: [String] = []
        var fails = false
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    var asked: [String?] { state.withLock { $0.asked } }

    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    /// People by first name. Amy is the only one that the library knows.
    var accounts: [String] {
        get { state.withLock { $0.accounts } }
        set { state.withLock { $0.accounts = newValue } }
    }

    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws {
        #expect(idTokenClaims["oid"] as? String == "user-1")
        try note("update \(account.username ?? "")")
    }

    func remove(_ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws {
        try note("remove \(account.username ?? "") \(wipeAccount)")
    }

    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol] {
        let wanted = parameters.identifier
        let (names, fails) = state.withLock { state in
            state.asked.append(wanted)
            return (state.accounts, state.fails)
        }
        if fails { throw CancellationError() }
        return names.map { name in
            let id = name == "amy" ? Contoso.homeAccountID : "\(name).\(Contoso.tenant)"
            return OwnAccount(username: "\(name)@contoso.example", identifier: id)
        }.filter { wanted == nil || $0.identifier == wanted }
    }

    private func note(_ call: String) throws {
        let fails = state.withLock { state in
            state.calls.append(call)
            return state.fails
        }
        if fails { throw CancellationError() }
    }
}

/// An account as an app might model it.
private final class OwnAccount: NSObject, MSALAccountProtocol, Sendable {
    let username: String?
    let identifier: String?

    init(username: String, identifier: String) {
        self.username = username
        self.identifier = identifier
    }

    var environment: String { Contoso.environment }
    var accountClaims: [String: Any]? { nil }
    var tenantProfiles: [MSALTenantProfile]? { nil }
    var homeAccountId: MSALAccountId? { nil }
}
