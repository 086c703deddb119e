// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Dispatch
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase

/// Where blocks run if the parameters name no queue.
@Suite(.timeLimit(.minutes(1)))
struct CompletionTargetTests {
    /// Calls that read only the store.
    enum Query: CaseIterable {
        case accounts, currentAccount, filteredByAuthority
        case deviceInformation, deviceRegistration, deviceToken, sharedDeviceToken
    }

    @Test(arguments: Query.allCases)
    func `a query calls its block before it returns, on the caller's thread`(_ query: Query) throws {
        let application = try BadInputBench().application
        let log = BlockLog()

        perform(query, application, log)

        #expect(log.threads == [pthread_self()])
    }

    @Test func `the result of a query can be returned from the caller`() throws {
        let application = try BadInputBench().application
        let found = Mutex<MSALAccount?>(nil)

        application.getCurrentAccount(with: nil) { account, _, _ in found.withLock { $0 = account } }

        #expect(found.withLock { $0?.username } == Contoso.username)
    }

    @Test func `a query with a block does not ask the user to unlock the store`() throws {
        let application = try BadInputBench(store: TalkativeStore(), hasSignedIn: false) {
            $0.cacheConfig.allowsUnlockPrompt = true
        }.application
        let log = BlockLog()
        let heard = Mutex<[String]>([])

        Log.$listener.withValue(Log.Listener { _, line in heard.withLock { $0.append(line) } }) {
            perform(.currentAccount, application, log)
        }

        #expect(log.threads.count == 1)
        #expect(!heard.withLock { $0.contains("The store was opened.") })
    }

    /// Calls with invalid parameters.
    enum Fault: CaseIterable {
        case ownWebview, reservedScope, otherAuthority, codeForReservedScope, nobodyToSignOut, signOutWithoutWebview
        case signInWithoutSettings, signOutWithoutSettings
        case silentWithoutAccount, silentReservedScope, silentWithoutSettings

        static let silent: [Fault] = [.silentWithoutAccount, .silentReservedScope, .silentWithoutSettings]
        /// Calls that may change what the user sees.
        static let interactive = allCases.filter { !silent.contains($0) }
    }

    @Test(arguments: Fault.silent)
    func `invalid parameters of a silent call are reported before it returns`(_ fault: Fault) throws {
        let log = BlockLog()

        try perform(fault, BadInputBench().application, log)

        #expect(log.threads == [pthread_self()])
        #expect(log.errors == [fault == .silentWithoutAccount ? -50002 : -50000])
    }

    @MainActor
    @Test(arguments: Fault.interactive)
    func `invalid parameters are reported before a call from the main thread returns`(_ fault: Fault) throws {
        let bench = try BadInputBench()
        let log = BlockLog()

        try perform(fault, bench.application, log)

        #expect(log.threads == [pthread_self()])
        #expect(log.errors == [-50000])
        #expect(bench.agent.openedURLs.isEmpty)
    }

    @Test(arguments: Fault.interactive)
    func `invalid parameters of a call off the main thread are passed on the main queue`(_ fault: Fault) async throws {
        let queue = DispatchQueue.main
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let application = try BadInputBench().application
        let without = MSALPublicClientApplication()
        await MainActor.run {}  // The objects' probes have run.

        let (isOnQueue, error) = try await withCheckedThrowingContinuation { continuation in
            do {
                try perform(fault, application, without: without) { error in
                    let isOnQueue = DispatchQueue.getSpecific(key: key) == true
                    continuation.resume(returning: (isOnQueue, (error as NSError?)?.code))
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }

        #expect(isOnQueue)
        #expect(error == -50000)
    }

    @Test(arguments: Fault.interactive.filter { $0 != .signInWithoutSettings && $0 != .signOutWithoutSettings })
    func `invalid parameters are reported before the call returns if the main queue is idle`(_ fault: Fault) throws {
        let queue = DispatchQueue(label: "main", attributes: .initiallyInactive)
        defer { queue.activate() }
        let log = BlockLog()

        try perform(fault, BadInputBench(mainQueue: queue).application, log)

        #expect(log.threads == [pthread_self()])
    }

    @Test(arguments: Fault.allCases)
    func `invalid parameters are reported on the queue that the app names`(_ fault: Fault) async throws {
        let application = try BadInputBench().application
        let queue = DispatchQueue(label: "the app's")
        queue.suspend()
        let log = BlockLog()

        try perform(fault, application, log, queue)
        #expect(log.threads.isEmpty)
        queue.resume()
        queue.sync {}

        #expect(log.threads.count == 1)
    }

    @MainActor
    @Test func `a sign-in that is rejected at once has the correlation ID of its parameters`() throws {
        let application = try BadInputBench().application
        let id = UUID()
        let log = BlockLog()
        let parameters = MSALInteractiveTokenParameters(scopes: ["openid"])
        parameters.correlationId = id

        application.acquireToken(with: parameters) { log.note($1) }

        #expect(log.ids == [id.uuidString])
    }

    @Test(arguments: [true, false])
    func `the block of a long sign-in runs on the main queue only if it is served`(_ isServed: Bool) async throws {
        let queue = DispatchQueue(label: "main", attributes: isServed ? [] : .initiallyInactive)
        defer { if !isServed { queue.activate() } }
        let time = ManualTime()
        let agent = StubAgent { visit, _ in
            if isServed { queue.sync {} }  // The probes have run.
            time.advance(by: .seconds(1))
            return ["code": "code-1", "state": visit.expectedState]
        }
        let bench = try BadInputBench(agent: agent, time: time, mainQueue: queue)
        bench.setResponse()
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)

        let isOnQueue = await withCheckedContinuation { continuation in
            bench.application.acquireToken(with: .init(scopes: ["user.read"])) { _, _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }

        #expect(isOnQueue == isServed)
    }

    @Test func `a sign-out uses the probe of the application object`() async throws {
        let queue = DispatchQueue(label: "main")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let application = try BadInputBench(mainQueue: queue).application
        let account = try application.account(forIdentifier: Contoso.homeAccountID)
        queue.sync {}

        let isOnQueue = await withCheckedContinuation { continuation in
            application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }

        #expect(isOnQueue)
    }

    @Test func `a program that names a main queue that is not served gets a warning`() async throws {
        let time = ManualTime()
        let queue = DispatchQueue(label: "main", attributes: .initiallyInactive)
        let application = try BadInputBench(time: time, mainQueue: queue).application
        let parameters = MSALParameters()
        parameters.completionBlockQueue = queue
        let logged = LoggedIDs()

        try await logged.listen {
            application.getCurrentAccount(with: parameters) { _, _, _ in }
            await time.untilSomebodySleeps()
            time.advance(by: .seconds(5))
            try await until(!logged.lines.isEmpty)
        }

        #expect(logged.lines.count == 1)
        #expect(logged.lines.first?.contains("completionBlockQueue") == true)
        queue.activate()
    }

    private func perform(_ query: Query, _ application: MSALPublicClientApplication, _ log: BlockLog) {
        switch query {
        case .accounts: application.accountsFromDevice(for: .init()) { log.note($1) }
        case .currentAccount: application.getCurrentAccount(with: nil) { log.note($2) }
        case .filteredByAuthority: (application as any DeprecatedCalls).allAccountsFiltered { log.note($1) }
        case .deviceInformation: application.getDeviceInformation(with: nil) { log.note($1) }
        case .deviceRegistration: application.getWPJMetaDataDevice(with: nil, forTenantId: nil) { log.note($1) }
        case .deviceToken:
            let parameters = MSALDeviceTokenParameters(resource: "api", scopes: nil, forTenantId: "t")
            application.getDeviceToken(with: parameters) { log.note($1) }
        case .sharedDeviceToken:
            application.getDeviceTokenForSharedDevice(withResource: "api", scopes: nil) { log.note($1) }
        }
    }

    private func perform(
        _ fault: Fault,
        _ application: MSALPublicClientApplication,
        _ log: BlockLog,
        _ queue: DispatchQueue? = nil
    ) throws {
        try perform(fault, application, queue: queue) { log.note($0) }
    }

    private func perform(
        _ fault: Fault,
        _ application: MSALPublicClientApplication,
        without: MSALPublicClientApplication = MSALPublicClientApplication(),
        queue: DispatchQueue? = nil,
        note: @escaping @Sendable ((any Error)?) -> Void
    ) throws {
        let account = try application.account(forIdentifier: Contoso.homeAccountID)
        let interactive = MSALInteractiveTokenParameters(scopes: ["user.read"])
        let silent = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        let code = MSALDeviceCodeTokenParameters(scopes: ["openid"])
        let signOut = MSALSignoutParameters()
        for parameters in [interactive, silent, code, signOut] as [MSALParameters] {
            parameters.completionBlockQueue = queue
        }
        switch fault {
        case .ownWebview:
            interactive.webviewParameters.customWebview = NSObject()
            application.acquireToken(with: interactive) { note($1) }
        case .reservedScope:
            interactive.scopes = ["openid"]
            application.acquireToken(with: interactive) { note($1) }
        case .otherAuthority:
            let url = try #require(URL(string: "https://contoso.b2clogin.com/contoso/policy"))
            interactive.authority = try MSALB2CAuthority(url: url)
            application.acquireToken(with: interactive) { note($1) }
        case .codeForReservedScope:
            application.acquireToken(with: code) { note($1) }
        case .silentWithoutAccount:
            silent.account = nil
            application.acquireTokenSilent(with: silent) { note($1) }
        case .silentReservedScope:
            silent.scopes = ["openid"]
            application.acquireTokenSilent(with: silent) { note($1) }
        case .nobodyToSignOut:
            application.signout(with: nil, signoutParameters: signOut) { note($1) }
        case .signOutWithoutWebview:
            signOut.signoutFromBrowser = true
            application.signout(with: account, signoutParameters: signOut) { note($1) }
        case .signInWithoutSettings:
            without.acquireToken(with: interactive) { note($1) }
        case .silentWithoutSettings:
            without.acquireTokenSilent(with: silent) { note($1) }
        case .signOutWithoutSettings:
            without.signout(with: account, signoutParameters: signOut) { note($1) }
        }
    }
}

/// The threads on which blocks ran, and the errors that they received.
private final class BlockLog: Sendable {
    private let calls = Mutex<[(thread: pthread_t, error: NSError?)]>([])

    var threads: [pthread_t] { calls.withLock { $0.map(\.thread) } }
    var errors: [Int] { calls.withLock { $0.compactMap { $0.error?.code } } }
    var ids: [String] { calls.withLock { $0.compactMap { $0.error?.userInfo[MSALCorrelationIDKey] as? String } } }

    func note(_ error: (any Error)?) {
        let error = error as NSError?
        calls.withLock { $0.append((pthread_self(), error)) }
    }
}
