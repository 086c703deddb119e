// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

/// The request to which the log lines of a public call belong.
@Suite("Correlation IDs of log lines", .timeLimit(.minutes(1)))
struct CorrelationTests {
    /// The calls of an application object that log lines, whatever their result.
    enum Call: CaseIterable, Sendable {
        case allAccounts, accountsFor, byIdentifier, byUsername, fromDevice, fromDeviceBlock, filteredByAuthority
        case currentAccount, currentAccountBlock, remove, signOut, signOutBlock, signOutOfBrowser, silent, interactive
    }

    private let bench: BadInputBench

    init() throws {
        bench = try BadInputBench(store: TalkativeStore())
    }

    @Test(arguments: Call.allCases)
    func `all lines of a call carry the same id`(_ call: Call) async throws {
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        bench.setResponse()
        let logged = LoggedIDs()

        try await logged.listen { try await perform(call, account) }

        #expect(!logged.all.isEmpty)
        #expect(Set(logged.all).count == 1 && logged.all.first != .some(nil), "\(logged.all)")
    }

    @Test func `opening the store is part of the call`() async throws {
        let logged = LoggedIDs()

        _ = try await logged.listen { try await bench.application.accountsFromDevice(for: .init()) }

        #expect(logged.lines.first == "The store was opened.")
    }

    @Test func `two calls have different ids`() async throws {
        let logged = LoggedIDs()

        try await logged.listen {
            for _ in 1...2 { _ = try bench.application.allAccounts() }
        }

        #expect(Set(logged.all).count == 2)
    }

    @Test func `an error has the id of the log lines before it`() async throws {
        let logged = LoggedIDs()

        let error = try await logged.listen {
            try #require(nsError { _ = try bench.application.account(forIdentifier: "nobody") })
        }

        let id = try #require(error.userInfo[MSALCorrelationIDKey] as? String)
        #expect(Set(logged.all.map { $0?.uuidString }) == [id])
    }

    @Test func `parameters that cannot make a request fail with the id that they name`() async throws {
        let id = UUID()
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        parameters.correlationId = id
        parameters.webviewParameters.customWebview = NSObject()

        let error = await #expect(throws: NSError.self) { try await bench.application.acquireToken(with: parameters) }
        let signOut = await #expect(throws: NSError.self) {
            try await bench.application.signout(with: nil, signoutParameters: MSALSignoutParameters())
        }

        #expect(error?.userInfo[MSALCorrelationIDKey] as? String == id.uuidString)
        #expect(signOut?.userInfo[MSALCorrelationIDKey] is String)
    }

    @Test func `an application without settings fails with the id of the request`() async throws {
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: nil)
        let id = UUID()
        parameters.correlationId = id

        let error = await #expect(throws: NSError.self) {
            try await MSALPublicClientApplication().acquireTokenSilent(with: parameters)
        }

        #expect(error?.detail == -42000)
        #expect(error?.userInfo[MSALCorrelationIDKey] as? String == id.uuidString)
    }

    private func perform(_ call: Call, _ account: MSALAccount) async throws {
        let application = bench.application
        let everyone = MSALAccountEnumerationParameters()
        switch call {
        case .allAccounts: _ = try application.allAccounts()
        case .accountsFor: _ = try application.accounts(for: everyone)
        case .byIdentifier: _ = try application.account(forIdentifier: Contoso.homeAccountID)
        case .byUsername: _ = try application.account(forUsername: Contoso.username)
        case .fromDevice: _ = try await application.accountsFromDevice(for: everyone)
        case .fromDeviceBlock:
            await withCheckedContinuation { done in
                application.accountsFromDevice(for: everyone) { _, _ in done.resume() }
            }
        case .filteredByAuthority:
            await withCheckedContinuation { done in
                (application as any DeprecatedCalls).allAccountsFiltered { _, _ in done.resume() }
            }
        case .currentAccount: _ = try await application.currentAccount(with: nil)
        case .currentAccountBlock:
            await withCheckedContinuation { done in
                application.getCurrentAccount(with: nil) { _, _, _ in done.resume() }
            }
        case .remove: try application.remove(account)
        case .signOut: _ = try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        case .signOutBlock:
            await withCheckedContinuation { done in
                application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, _ in done.resume() }
            }
        case .signOutOfBrowser:
            let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
            parameters.signoutFromBrowser = true
            _ = try? await application.signout(with: account, signoutParameters: parameters)
        case .silent: _ = try await bench.renew(account)
        case .interactive: _ = try await bench.signIn()
        }
    }
}
