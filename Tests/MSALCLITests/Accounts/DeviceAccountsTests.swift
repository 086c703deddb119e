// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCLI

/// The accounts of the device together with the client's own.
struct DeviceAccountsTests {
    private let megan = BrokerAccount(
        homeAccountID: "user.tenant",
        localAccountID: "user",
        realm: "tenant",
        environment: "login.microsoftonline.com",
        username: "megan@contoso.example"
    )
    private let broker: ScriptedBroker
    private let application: MSALPublicClientApplication

    init() throws {
        let megan = megan
        broker = ScriptedBroker(token: { request in
            BrokerToken(accessToken: Secret("none"), account: megan, expiresOn: .distantFuture, scopes: request.scopes)
        })
        broker.change { $0.accounts = [megan] }
        var platform = Platform(
            transport: ScriptedTransport([]),
            agent: StubAgent { _, _ throws(AgentError) in throw AgentError(.canceled, message: "The user gave up.") },
            time: ManualTime()
        )
        platform.broker = broker
        application = try MSALPublicClientApplication(
            configuration: MSALPublicClientApplicationConfig(clientId: "app"),
            platform: platform,
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    @Test func `a user whom another app signed out of the device is not listed again`() async throws {
        _ = try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["User.Read"]))
        let own = try application.allAccounts()
        broker.change { $0.accounts = [] }

        let listed = await DeviceAccounts(of: application).added(to: own)

        #expect(own.map(\.username) == ["megan@contoso.example"])
        #expect(listed.isEmpty)
    }

    @Test func `if the broker fails, only the client's own accounts are listed`() async throws {
        _ = try await application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["User.Read"]))
        let own = try application.allAccounts()
        broker.change { $0.accountsFailure = BrokerFailure(.unreachable, message: "It hangs.") }

        let listed = await DeviceAccounts(of: application).added(to: own)

        #expect(listed == own)
    }
}
