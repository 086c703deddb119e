// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// A token in memory is returned without suspending the caller.
@Suite struct SilentHitTests {
    @Test(arguments: EntryPoint.allCases)
    func `a token in memory is returned without leaving the caller's actor`(_ entry: EntryPoint) async throws {
        let bench = try BadInputBench()
        let caller = Caller(bench.application)
        _ = try await caller.token(entry)
        let before = caller.jobs

        for _ in 0..<10 { _ = try await caller.token(entry) }

        // One job for each call into the actor. A suspension would add a second one.
        #expect(caller.jobs - before == 10)
    }

    @Test func `a token in memory has a new correlation ID, or the one that was passed`() async throws {
        let bench = try BadInputBench()
        let parameters = MSALSilentTokenParameters(
            scopes: ["user.read"],
            account: try bench.application.account(forIdentifier: Contoso.homeAccountID)
        )
        var ids: Set<UUID> = []
        for _ in 0..<40 { ids.insert(try await bench.application.acquireTokenSilent(with: parameters).correlationId) }
        #expect(ids.count == 40)

        let given = UUID()
        parameters.correlationId = given
        #expect(try await bench.application.acquireTokenSilent(with: parameters).correlationId == given)
    }

    @Test func `a token in memory is refreshed once it is due for renewal`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()
        let parameters = MSALSilentTokenParameters(
            scopes: ["user.read"],
            account: try bench.application.account(forIdentifier: Contoso.homeAccountID)
        )
        func source() async throws -> MSALTokenSource.Origin {
            try await bench.application.acquireTokenSilent(with: parameters).source.origin
        }
        #expect(try await [source(), source()] == [.cache, .cache])

        bench.time.advance(by: .seconds(3400))

        #expect(try await source() == .refresh)
    }

    /// The function that a caller uses.
    enum EntryPoint: CaseIterable, Sendable { case application, client }
}

/// An actor that counts its jobs.
private actor Caller {
    private let application: MSALPublicClientApplication
    private let executor = CountingExecutor()

    init(_ application: MSALPublicClientApplication) {
        self.application = application
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var jobs: Int { executor.jobs.load(ordering: .relaxed) }

    func token(_ entry: SilentHitTests.EntryPoint) async throws -> String {
        let account = try application.account(forIdentifier: Contoso.homeAccountID)
        switch entry {
        case .application:
            let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
            return try await application.acquireTokenSilent(with: parameters).accessToken
        case .client:
            // Calls that do more than return the token use the client.
            let client = try application.client()
            let request = SilentRequest(
                token: TokenRequest(scopes: ScopeSet(["user.read"])),
                account: account.snapshot.reference
            )
            return try await Log.lines(of: request.token.correlationID) {
                try await client.silent.acquire(request).accessToken.exposed
            }
        }
    }
}

private final class CountingExecutor: SerialExecutor {
    let jobs = Atomic(0)
    private let queue = DispatchQueue(label: "a caller's actor")

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
