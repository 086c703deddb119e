// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import TestSupport

@testable import MSALCore

/// A client whose whole environment is controlled by the test.
struct ClientBench: Sendable {
    let service: StandInService
    let time: ManualTime
    let agent: StubAgent
    let store: any TokenStore
    let session: CurrentSession
    let platform: Platform
    let client: TokenClient

    /// `time`: Skips sleeps by default, so that retries happen at once.
    /// `agent`: The user, who returns a code by default.
    init(
        _ configuration: ClientConfiguration = .bench,
        service: StandInService = StandInService(),
        time: ManualTime = ManualTime(skipsSleeps: true),
        agent: StubAgent = .givingCode,
        store: any TokenStore = MemoryStore()
    ) {
        self.service = service
        self.time = time
        self.agent = agent
        self.store = store
        session = CurrentSession()
        platform = Platform(
            transport: RetryingTransport(base: service, time: time),
            agent: agent,
            time: time
        )
        client = TokenClient(configuration: configuration, platform: platform, store: store, session: session)
    }

    /// Signs an account out, first here and then in the browser.
    func signOut(_ request: SignOutRequest) async throws(AuthError) {
        try await client.signOut.signOutLocally(request)
        try await client.signOut.inBrowser(request)
    }

    /// Puts records into the store.
    func seed(_ records: CacheRecord...) throws { try seed(records) }

    func seed(_ records: [CacheRecord]) throws {
        try store.write(.normal) { transaction throws(StoreError) in
            for record in records { try transaction.save(record) }
        }
    }

    /// Every record of the store.
    func records() throws -> [CacheRecord] {
        try store.read { transaction throws(StoreError) in
            var all: [CacheRecord] = []
            for kind in RecordKind.allCases { all += try transaction.records(RecordFilter(kind)) }
            return all
        }
    }

    /// Advances the clock to this many seconds after `start`.
    func go(to seconds: Double, after start: Date) {
        time.advance(by: .seconds(start.addingTimeInterval(seconds).timeIntervalSince(time.now)))
    }
}

extension ClientConfiguration {
    /// An app with the common authority and a loopback redirect.
    static var bench: ClientConfiguration {
        ClientConfiguration(clientID: Contoso.clientID, authority: .default, redirectURI: .loopback)
    }
}

extension StubAgent {
    /// A user who signs in.
    static var givingCode: StubAgent {
        StubAgent { visit, _ in ["code": "code-1", "state": visit.expectedState] }
    }

    /// A user or a browser that ends the visit with an error.
    static func failing(_ kind: AgentError.Kind) -> StubAgent {
        StubAgent { _, _ throws(AgentError) in throw AgentError(kind, message: "As the script says.") }
    }

    /// A user who never comes back. Wait for `time.untilSomebodySleeps()` until the browser is open.
    static func waiting(_ time: ManualTime) -> StubAgent {
        StubAgent { _, _ throws(AgentError) in
            do {
                try await time.sleep(for: .seconds(86_400))
            } catch {
                throw AgentError(.canceled, message: "The visit was canceled.")
            }
            return [:]
        }
    }
}
