// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

struct ExternalAccountTests {
    @Test(arguments: [AgentError.Kind.noBrowser, .canceled])
    func `a sign-out is reported even if its browser part fails`(_ failure: AgentError.Kind) async throws {
        let provider = Provider()
        let bench = try BadInputBench(agent: .failing(failure)) { configuration in
            configuration.cacheConfig.addExternalAccountProvider(provider)
        }
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        parameters.signoutFromBrowser = true

        _ = try? await bench.application.signout(with: account, signoutParameters: parameters)  // Fails in the browser.

        #expect(bench.agent.openedURLs.count == 1)
        #expect(provider.removed == [Contoso.homeAccountID])
    }

    @Test func `a sign-out that the store rejects is not reported`() async throws {
        let (provider, store) = (Provider(), LockedStore())
        let bench = try BadInputBench(store: store) { configuration in
            configuration.cacheConfig.addExternalAccountProvider(provider)
        }
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        store.lock()

        _ = await #expect(throws: NSError.self) {
            try await bench.application.signout(with: account, signoutParameters: MSALSignoutParameters())
        }

        #expect(provider.removed.isEmpty)
    }
}

/// Records the accounts that it is told to remove.
private final class Provider: NSObject, MSALExternalAccountProviding, Sendable {
    private let identifiers = Mutex<[String?]>([])

    var removed: [String?] { identifiers.withLock { $0 } }

    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws {}

    func remove(_ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws {
        let identifier = account.identifier
        identifiers.withLock { $0.append(identifier) }
    }

    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol] { [] }
}
