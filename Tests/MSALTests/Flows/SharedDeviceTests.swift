// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

/// A device that several people use in turn, and one that belongs to one person.
struct SharedDeviceTests {
    private let bench = BrokerBench()
    private static let otherClient = "99999999-2222-3333-4444-555555555555"

    private func share() {
        bench.broker.change {
            var device = BrokerDevice()
            device.isShared = true
            $0.information.device = device
        }
    }

    @Test func `a user who signs out of a shared device is signed out of all its apps and can sign in again`()
        async throws
    {
        share()
        let first = try bench.application()
        let second = try bench.application(clientID: Self.otherClient)
        let amy = try await first.acquireToken(with: .init(scopes: ["user.read"])).account

        // Another app finds the user and needs no page.
        let (found, none) = try await second.currentAccount(with: nil)
        let token = try await second.acquireTokenSilent(with: .init(scopes: ["user.read"], account: found))
        #expect(found == amy && none == nil && token.source.origin == .broker)

        #expect(try await first.signout(with: amy, signoutParameters: MSALSignoutParameters()))

        let (nobody, former) = try await second.currentAccount(with: nil)
        #expect(nobody == nil && former == amy && former?.username == Contoso.username)
        #expect(try second.allAccounts().isEmpty && first.allAccounts().isEmpty)
        let failure = await bench.failure {
            _ = try await second.acquireTokenSilent(with: .init(scopes: ["user.read"], account: amy))
        }
        #expect(failure?.code == MSALError.interactionRequired.rawValue)

        // The next user signs in with another app, then the first one again.
        bench.broker.change { $0.accounts = [.bob] }
        #expect(try await first.currentAccount(with: nil).0?.username == "bob@contoso.example")
        bench.broker.change { $0.accounts = [.amy] }
        let (current, previous) = try await first.currentAccount(with: nil)
        #expect(current == amy && previous?.username == "bob@contoso.example")
    }

    @Test func `a sign-out that a shared device rejects is an error, and this app's tokens are removed anyway`()
        async throws
    {
        share()
        let application = try bench.application()
        let amy = try await application.acquireToken(with: .init(scopes: ["user.read"])).account
        bench.broker.change { $0.removeFailure = BrokerFailure(.unreachable, message: "It hangs.") }

        let failure = await bench.failure {
            _ = try await application.signout(with: amy, signoutParameters: MSALSignoutParameters())
        }

        #expect(failure?.detail == MSALInternalError.internalErrorBrokerResponseNotReceived.rawValue)
        #expect(try application.allAccounts().isEmpty)
        #expect(try await application.accountsFromDevice(for: .init()).isEmpty)
    }

    @Test(arguments: [nil, BrokerFailure.Kind.unreachable, .unsupported])
    func `a user who signs out of an app on a personal device stays signed in to the others`(
        kind: BrokerFailure.Kind?
    ) async throws {
        let first = try bench.application()
        let second = try bench.application(clientID: Self.otherClient)
        let amy = try await first.acquireToken(with: .init(scopes: ["user.read"])).account
        _ = try await second.acquireToken(with: .init(scopes: ["user.read"]))
        bench.broker.change { device in
            device.removeFailure = kind.map { BrokerFailure($0, message: "As the script says.") }
        }

        #expect(try await first.signout(with: amy, signoutParameters: MSALSignoutParameters()))

        #expect(bench.broker.calls.contains(.remove(user: Contoso.username, clientID: Contoso.clientID)))
        #expect(try await first.accountsFromDevice(for: .init()).isEmpty)
        #expect(try second.allAccounts().map(\.username) == [Contoso.username])
    }

    @Test func `removing an account from an app does not call the broker`() async throws {
        let application = try bench.application()
        let amy = try await application.acquireToken(with: .init(scopes: ["user.read"])).account

        try application.remove(amy)

        #expect(!bench.broker.calls.contains(.remove(user: Contoso.username, clientID: Contoso.clientID)))
    }

    @Test func `the names of an account that another app uses are not deleted`() async throws {
        let first = try bench.application()
        let second = try bench.application(clientID: Self.otherClient)
        let amy = try await first.acquireToken(with: .init(scopes: ["user.read"])).account
        _ = try await second.acquireToken(with: .init(scopes: ["user.read"]))

        try first.remove(amy)
        try TokenCache(store: bench.store, clientID: "").forgetUnusedNames()

        #expect(try second.allAccounts().map(\.username) == [Contoso.username])
        try second.remove(amy)
        #expect(!(try bench.kinds().contains(.account)))
    }
}
