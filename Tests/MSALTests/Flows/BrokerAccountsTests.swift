// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import Synchronization
import TestSupport
import Testing

/// The accounts of the device, and the current account.
struct BrokerAccountsTests {
    private let bench = BrokerBench()
    private let everyone = MSALAccountEnumerationParameters()

    private func names(_ accounts: [MSALAccount]) -> [String?] {
        accounts.map(\.username).sorted { $0 ?? "" < $1 ?? "" }
    }

    @Test func `the accounts of the device are listed with the app's own`() async throws {
        bench.broker.change { $0.accounts = [.amy, .bob] }
        let application = try bench.application()

        let before = try await application.accountsFromDevice(for: everyone)
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["user.read"], account: before.first))
        let after = try await application.accountsFromDevice(for: everyone)

        #expect(names(before) == [Contoso.username, "bob@contoso.example"])
        #expect(before.allSatisfy { $0.isSSOAccount })
        #expect(before.first?.tenantProfiles?.first?.identifier == "user-1")
        #expect(names(after) == names(before))
        #expect(names(try application.allAccounts()) == [Contoso.username])
    }

    @Test func `filters apply to the broker's accounts, too`() async throws {
        bench.broker.change { $0.accounts = [.amy, .bob] }
        let application = try bench.application()

        let byName = try await application.accountsFromDevice(
            for: .init(identifier: nil, username: "BOB@contoso.example")
        )
        let byID = try await application.accountsFromDevice(for: .init(identifier: Contoso.homeAccountID))
        let byProfile = try await application.accountsFromDevice(for: .init(tenantProfileIdentifier: "user-2"))

        #expect(names(byName) == ["bob@contoso.example"] && names(byID) == [Contoso.username])
        #expect(names(byProfile) == ["bob@contoso.example"])
    }

    @Test func `accounts of another cloud and accounts with control characters are omitted`() async throws {
        bench.broker.change { device in
            var (elsewhere, strange) = (BrokerAccount.amy, BrokerAccount.amy)
            elsewhere.environment = "login.chinacloudapi.cn"
            strange.username = "amy\u{7}"
            device.accounts = [elsewhere, strange, .bob]
        }

        #expect(names(try await bench.application().accountsFromDevice(for: everyone)) == ["bob@contoso.example"])
    }

    @Test func `an account that was signed out of this app stays signed out, unless it is requested`() async throws {
        let application = try bench.application()
        let amy = try #require(try await application.accountsFromDevice(for: everyone).first)
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["user.read"], account: amy))
        try application.remove(amy)

        let signedIn = try await application.accountsFromDevice(for: everyone)
        let all = MSALAccountEnumerationParameters()
        all.returnOnlySignedInAccounts = false
        let known = try await application.accountsFromDevice(for: all)

        #expect(signedIn.isEmpty && names(known) == [Contoso.username])
        #expect(try await application.currentAccount(with: nil) == (nil, nil))
    }

    @Test func `the only account of the device is the current one`() async throws {
        let application = try bench.application()

        let (current, previous) = try await application.currentAccount(with: nil)

        #expect(current?.username == Contoso.username && current?.isSSOAccount == true && previous == nil)
    }

    @Test func `with several accounts there is no current account`() async throws {
        bench.broker.change { $0.accounts = [.amy, .bob] }

        let failure = await bench.failure { _ = try await bench.application().currentAccount(with: nil) }

        #expect(failure?.detail == MSALInternalError.internalErrorAmbiguousAccount.rawValue)
    }

    @Test func `a device that left its tenant no longer has the account`() async throws {
        let application = try bench.application()
        let amy = try await application.acquireToken(with: .init(scopes: ["user.read"])).account
        bench.broker.change {
            $0.accounts = []
            $0.silentFailure = BrokerFailure(.deviceNotRegistered, message: "The device is not registered.")
        }

        let forced = MSALSilentTokenParameters(scopes: ["user.read"], account: amy)
        forced.forceRefresh = true
        let failure = await bench.failure { _ = try await application.acquireTokenSilent(with: forced) }
        let (current, previous) = try await application.currentAccount(with: nil)

        #expect(failure?.code == MSALError.workplaceJoinRequired.rawValue)
        #expect(current == nil && previous == nil)
        #expect(try application.allAccounts().isEmpty)
        #expect(!(try bench.kinds().contains(.account)))
    }

    @Test func `an account with its own tokens stays, whatever accounts the broker has`() async throws {
        try bench.store.seed([Contoso.accountRecord, Contoso.refreshToken()])
        bench.broker.change { $0.accounts = [] }
        let application = try bench.application()

        let accounts = try await application.accountsFromDevice(for: everyone)

        #expect(names(accounts) == [Contoso.username] && accounts.first?.isSSOAccount == false)
    }

    @Test(arguments: [BrokerFailure.Kind.unreachable, .unreadable, .unexpected])
    func `a broker that fails causes an error, and the accounts of the store remain available`(
        kind: BrokerFailure.Kind
    ) async throws {
        let application = try bench.application()
        _ = try await application.acquireToken(with: .init(scopes: ["user.read"]))
        bench.broker.change { $0.accountsFailure = BrokerFailure(kind, message: "As the script says.") }

        let failure = await bench.failure { _ = try await application.accountsFromDevice(for: everyone) }

        #expect(failure?.code == MSALError.internal.rawValue)
        #expect([-42700, -42705, -42711].contains(failure?.detail))
        #expect(names(try application.allAccounts()) == [Contoso.username])
    }

    @Test func `without a broker blocks run before the call returns, and with one they wait for it`() async throws {
        let application = try bench.application()
        bench.broker.change { $0.availability = .absent("this machine has no identity broker") }
        let order = Mutex<[String]>([])
        application.accountsFromDevice(for: everyone) { _, _ in order.withLock { $0.append("accounts") } }
        application.getCurrentAccount(with: nil) { _, _, _ in order.withLock { $0.append("current") } }
        application.getDeviceInformation(with: nil) { _, _ in order.withLock { $0.append("device") } }
        application.getWPJMetaDataDevice(with: nil, forTenantId: nil) { _, _ in order.withLock { $0.append("join") } }
        #expect(order.withLock { $0 } == ["accounts", "current", "device", "join"])
        #expect(bench.broker.calls.isEmpty)

        bench.broker.change { $0.availability = .present }
        let accounts = await withCheckedContinuation { continuation in
            application.accountsFromDevice(for: everyone) { found, _ in continuation.resume(returning: found) }
        }
        let current = await withCheckedContinuation { continuation in
            application.getCurrentAccount(with: nil) { found, _, _ in continuation.resume(returning: found) }
        }
        let device = await withCheckedContinuation { continuation in
            application.getDeviceInformation(with: nil) { found, _ in continuation.resume(returning: found) }
        }
        let join = await withCheckedContinuation { continuation in
            application.getWPJMetaDataDevice(with: nil, forTenantId: nil) { found, _ in
                continuation.resume(returning: found)
            }
        }

        #expect(names(accounts ?? []) == [Contoso.username] && current?.username == Contoso.username)
        #expect(device != nil && join != nil)
        #expect(bench.broker.calls.contains(.information))
    }

    @Test func `a process can disable the broker`() async {
        await #expect(processExitsWith: .success) {
            let bench = BrokerBench()
            let application = try bench.application()
            MSALGlobalConfig.brokerAvailability = .none

            let accounts = try await application.accountsFromDevice(for: .init())
            let plan = try await application.signInPlan(for: .init(scopes: ["user.read"]))
            let failure = await bench.failure { _ = try await application.deviceInformation(with: nil) }

            #expect(accounts.isEmpty && plan.modes == [.browser])
            #expect(failure?.detail == MSALInternalError.internalBrokerNotAvailable.rawValue)
            #expect(!bench.broker.wasLookedFor)
            #expect(application.isCompatibleAADBrokerAvailable)
        }
    }
}

extension MemoryStore {
    /// Puts records into the store.
    fileprivate func seed(_ records: [CacheRecord]) throws {
        try write(.normal) { transaction throws(StoreError) in
            for record in records { try transaction.save(record) }
        }
    }
}
