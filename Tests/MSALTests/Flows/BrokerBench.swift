// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// An application with an identity broker on a device where Amy is signed in.
struct BrokerBench: Sendable {
    let broker: ScriptedBroker
    let time: ManualTime
    let service: StandInService
    let store: MemoryStore
    let platform: Platform
    let client: TokenClient

    /// `time`: Its sleeps take no time by default.
    /// `pause`: Called before a silent call of the broker responds.
    /// `agent`: The browser. By default, the test fails if it is opened.
    init(
        _ configuration: ClientConfiguration = .bench,
        store: MemoryStore = MemoryStore(),
        broker: ScriptedBroker? = nil,
        agent: StubAgent = .unused,
        time: ManualTime = ManualTime(skipsSleeps: true),
        pause: @escaping @Sendable () async -> Void = {}
    ) {
        let broker = broker ?? Self.broker(time: time, pause: pause)
        let service = StandInService()
        var platform = Platform(transport: RetryingTransport(base: service, time: time), agent: agent, time: time)
        platform.broker = broker
        (self.broker, self.time, self.service, self.store, self.platform) = (broker, time, service, store, platform)
        client = TokenClient(
            configuration: configuration,
            platform: platform,
            store: store,
            session: CurrentSession()
        )
    }

    /// A broker with Amy's account, which issues tokens for her to each client.
    static func broker(time: ManualTime, pause: @escaping @Sendable () async -> Void = {}) -> ScriptedBroker {
        let broker = ScriptedBroker(token: { .amys($0, at: time.now) }, pause: pause)
        broker.change { $0.accounts = [.amy] }
        return broker
    }

    /// An application of the public API with the same machine and store.
    func application(
        clientID: String = Contoso.clientID,
        configure: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
        try configure(configuration)
        return try MSALPublicClientApplication(
            configuration: configuration,
            platform: platform,
            store: store,
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    /// Every record of the store.
    func records() throws -> [CacheRecord] {
        try store.read { transaction throws(StoreError) in
            var all: [CacheRecord] = []
            for kind in RecordKind.allCases { all += try transaction.records(RecordFilter(kind)) }
            return all
        }
    }

    /// The kinds of records in the store.
    func kinds() throws -> Set<RecordKind> { Set(try records().map(\.kind)) }

    /// The error that `body` throws, as an app receives it.
    func failure(_ body: () async throws -> Void) async -> NSError? {
        do {
            try await body()
            return nil
        } catch let error as AuthError {
            return error.nsError
        } catch {
            return error as NSError
        }
    }
}

extension StubAgent {
    /// A browser whose user cancels at once.
    static var unused: StubAgent {
        StubAgent { _, _ throws(AgentError) in throw AgentError(.canceled, message: "The user gave up.") }
    }
}

extension BrokerAccount {
    static let amy = BrokerAccount(
        homeAccountID: Contoso.homeAccountID,
        localAccountID: "user-1",
        realm: Contoso.tenant,
        environment: "login.windows.net",
        username: Contoso.username,
        name: "Amy",
        clientInfo: Contoso.clientInfo
    )

    static let bob = BrokerAccount(
        homeAccountID: "user-2.\(Contoso.tenant)",
        localAccountID: "user-2",
        realm: Contoso.tenant,
        environment: "login.microsoftonline.com",
        username: "bob@contoso.example",
        name: "Bob"
    )
}

extension BrokerToken {
    /// A token for Amy, or for the account in the request.
    static func amys(_ request: BrokerTokenRequest, at now: Date) -> BrokerToken {
        let account = request.account ?? .amy
        var claims = Contoso.claims(at: now)
        claims["aud"] = .string(request.clientID)
        claims["oid"] = account.localAccountID.map(JSONValue.string)
        claims["preferred_username"] = .string(account.username)
        return BrokerToken(
            accessToken: Secret("secret-broker-token of \(account.username) for \(request.clientID)"),
            isBound: request.proof != nil,
            idToken: Secret(Contoso.idToken(claims)),
            clientInfo: account.clientInfo,
            account: account,
            expiresOn: now.addingTimeInterval(3600),
            scopes: request.scopes + ["openid", "profile"]
        )
    }
}
