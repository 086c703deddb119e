// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Dispatch
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore
@testable import SealedStore

/// An app as its developer writes it, with a service and a user that behave as a test requires.
///
/// Amy has signed in before. Her tokens have to survive every failure.
struct BadInputBench {
    let service = StandInService()
    let time: ManualTime
    let agent: StubAgent
    let store: any TokenStore
    let application: MSALPublicClientApplication

    init(
        agent: StubAgent = .givingCode,
        store: any TokenStore = MemoryStore(),
        hasSignedIn: Bool = true,
        time: ManualTime = ManualTime(skipsSleeps: true),
        mainQueue: DispatchQueue = .main,
        environment: [String: String] = [:],
        _ configure: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) throws {
        self.agent = agent
        self.time = time
        self.store = store
        let configuration = MSALPublicClientApplicationConfig(clientId: Contoso.clientID)
        try configure(configuration)
        application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: Platform(
                transport: RetryingTransport(base: service, time: time),
                agent: agent,
                time: time,
                environment: environment
            ),
            store: store,
            session: CurrentSession(),
            registeredSchemes: [],
            mainQueue: mainQueue
        )
        if hasSignedIn {
            try store.write(.normal) { [time] transaction throws(StoreError) in
                try transaction.save(Contoso.refreshToken())
                try transaction.save(Contoso.accountRecord)
                try transaction.save(Contoso.idTokenRecord(at: time.now))
                try transaction.save(Contoso.accessToken(expiresIn: 3600, at: time.now))
            }
        }
    }

    /// The response to every token request. `claims` change the claims of a valid ID token. A null removes a claim.
    func setResponse(
        claims: [String: JSONValue] = [:],
        members: [String: JSONValue] = [:],
        headers: [String: String] = [:]
    ) {
        let (agent, now) = (agent, time.now)
        service.setLast(
            .made { _ throws(TransportError) in
                let good = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                let idToken = Contoso.idToken(good.merging(claims) { $1 }.filter { $0.value != .null })
                return .json(.object(Contoso.tokens(idToken: idToken, members)), headers: headers)
            }
        )
    }

    func records() throws -> Set<CacheRecord> {
        try store.read { transaction throws(StoreError) in
            var all: Set<CacheRecord> = []
            for kind in RecordKind.allCases { all.formUnion(try transaction.records(RecordFilter(kind))) }
            return all
        }
    }

    func signIn(_ webview: MSALWebviewParameters = MSALWebviewParameters()) async throws -> MSALResult {
        try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["user.read"], webviewParameters: webview)
        )
    }

    func renew() async throws -> MSALResult {
        try await renew(try application.account(forIdentifier: Contoso.homeAccountID))
    }

    func renew(_ account: MSALAccount) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
        parameters.forceRefresh = true
        return try await application.acquireTokenSilent(with: parameters)
    }

    /// Runs a call that has to fail and checks what applies to every failure: an `NSError` with a message, no secret in
    /// any of its texts, and unchanged stored tokens.
    func failure<Value>(_ call: () async throws -> Value) async throws -> NSError {
        let before = try records()
        var failure: NSError?
        do {
            _ = try await call()
        } catch {
            failure = error as NSError
        }
        let error = try #require(failure, "The call succeeded.")
        #expect(try records() == before)
        #expect(error.words.contains(" "))
        let verifiers = service.tokenRequests.compactMap { $0.form["code_verifier"] }
        let nonces = agent.openedURLs.compactMap { $0.parameter("nonce") }
        for text in texts(of: error) {
            for secret in Contoso.secrets + verifiers + nonces + ["code-1"] { #expect(!text.contains(secret)) }
        }
        return error
    }

    /// Everything a program could print of an error and its underlying errors.
    private func texts(of error: NSError) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        let own = ["\(error)", error.localizedDescription, String(reflecting: error), "\(error.userInfo)", dumped]
        return own + ((error.userInfo[NSUnderlyingErrorKey] as? NSError).map(texts) ?? [])
    }
}

extension NSError {
    /// The message for people.
    var words: String { userInfo[MSALErrorDescriptionKey] as? String ?? "" }
}
