// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Dispatch
import Foundation
import MSAL
import TestSupport
import Testing

/// The methods with a completion block return what the asynchronous ones return, on the queue that the app names.
@Suite(.timeLimit(.minutes(1)))
struct CompletionBlockTests {
    /// A call with a completion block, and its result for a signed-in user.
    enum Call: CaseIterable {
        case signIn, silent, accounts, currentAccount, signOut, deviceInformation, deviceRegistration, deviceToken

        var outcome: Outcome {
            switch self {
            case .signIn: Outcome(value: "secret-new-access-token")
            case .silent: Outcome(value: "secret-access-token")
            case .accounts, .currentAccount: Outcome(value: Contoso.username)
            case .signOut: Outcome(value: "true")
            case .deviceInformation, .deviceRegistration: Outcome(value: "given")
            case .deviceToken: Outcome(error: MSALError.workplaceJoinRequired.rawValue)
            }
        }
    }

    /// The arguments of a block.
    struct Outcome: Sendable, Equatable {
        var value: String?
        var error: Int?
    }

    private static let name = DispatchSpecificKey<String>()
    private let queue = DispatchQueue(label: "the app's")

    init() {
        queue.setSpecific(key: Self.name, value: "the app's")
    }

    @Test(arguments: Call.allCases)
    func `the block runs on the queue of the parameters`(_ call: Call) async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let (outcome, place) = try await run(call, bench.application, on: queue)

        #expect(outcome == call.outcome)
        #expect(place == "the app's")
    }

    @Test(arguments: Call.allCases)
    func `without a queue the block runs as well`(_ call: Call) async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let (outcome, place) = try await run(call, bench.application, on: nil)

        #expect(outcome == call.outcome)
        #expect(place == nil)
    }

    @Test func `a failure passes an error and nothing else`() async throws {
        let (store, agent) = (LockedStore(), StubAgent.failing(.canceled))
        let bench = try BadInputBench(agent: agent, store: store)
        store.lock()

        let signIn = try await run(.signIn, bench.application, on: queue).outcome
        let signOut = try await run(.signOut, bench.application, on: queue).outcome

        #expect(signIn == Outcome(error: MSALError.userCanceled.rawValue))
        #expect(signOut == Outcome(value: "false", error: MSALError.internal.rawValue))
    }

    @Test func `the queue at the time of the call is used`() async throws {
        let application = try BadInputBench().application
        let parameters = MSALParameters()
        parameters.completionBlockQueue = queue

        let place = await withCheckedContinuation { continuation in
            application.getCurrentAccount(with: parameters) { _, _, _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: Self.name))
            }
            parameters.completionBlockQueue = nil
        }

        #expect(place == "the app's")
    }

    /// Makes a call. A block that is called twice ends the test run.
    private func run(
        _ call: Call,
        _ application: MSALPublicClientApplication,
        on queue: DispatchQueue?
    ) async throws -> (outcome: Outcome, place: String?) {
        let account = try application.account(forIdentifier: Contoso.homeAccountID)
        return await withCheckedContinuation { continuation in
            @Sendable func end(_ value: String?, _ error: (any Error)?) {
                let outcome = Outcome(value: value, error: (error as NSError?)?.code)
                continuation.resume(returning: (outcome, DispatchQueue.getSpecific(key: Self.name)))
            }
            let parameters = MSALParameters()
            parameters.completionBlockQueue = queue
            switch call {
            case .signIn:
                let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
                parameters.completionBlockQueue = queue
                application.acquireToken(with: parameters) { end($0?.accessToken, $1) }
            case .silent:
                let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
                parameters.completionBlockQueue = queue
                application.acquireTokenSilent(with: parameters) { end($0?.accessToken, $1) }
            case .accounts:
                let parameters = MSALAccountEnumerationParameters(identifier: Contoso.homeAccountID)
                parameters.completionBlockQueue = queue
                application.accountsFromDevice(for: parameters) { end($0?.compactMap(\.username).joined(), $1) }
            case .currentAccount:
                application.getCurrentAccount(with: parameters) { current, _, error in end(current?.username, error) }
            case .signOut:
                let parameters = MSALSignoutParameters()
                parameters.completionBlockQueue = queue
                application.signout(with: account, signoutParameters: parameters) { end("\($0)", $1) }
            case .deviceInformation:
                application.getDeviceInformation(with: parameters) { end($0 == nil ? nil : "given", $1) }
            case .deviceRegistration:
                application.getWPJMetaDataDevice(with: parameters, forTenantId: nil) {
                    end($0 == nil ? nil : "given", $1)
                }
            case .deviceToken:
                let parameters = MSALDeviceTokenParameters(resource: "api", scopes: nil, forTenantId: "t")
                parameters.completionBlockQueue = queue
                application.getDeviceToken(with: parameters) { end($0 == nil ? nil : "given", $1) }
            }
        }
    }
}
