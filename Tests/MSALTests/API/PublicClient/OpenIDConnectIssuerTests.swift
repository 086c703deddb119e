// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// An authority that is not Microsoft's (docs/reference/Protocol.md#oidc-authority).
struct OpenIDConnectIssuerTests {
    private static let standardHeaders: Set = ["Accept", "Content-Type"]

    @Test func `a sign-in, a refresh, and a sign-out send only parameters and headers of the standards`() async throws {
        let bench = try IssuerBench()

        let result = try await bench.signIn { parameters in
            parameters.domainHint = "contoso.example"
            parameters.loginHint = "amy"
        }
        let account = try #require(try bench.application.allAccounts().first)
        let stored = try await bench.silent(account)
        bench.time.advance(by: .seconds(4000))
        let renewed = try await bench.silent(account)
        let signOut = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        signOut.signoutFromBrowser = true
        #expect(try await bench.application.signout(with: account, signoutParameters: signOut))

        #expect(result.accessToken == "access-1" && stored.accessToken == "access-1")
        #expect(stored.source.origin == .cache && renewed.accessToken == "access-2")
        #expect(result.isIDTokenSignatureVerified)
        let pages = bench.agent.openedURLs
        #expect(
            pages.map(\.names) == [
                [
                    "client_id", "code_challenge", "code_challenge_method", "login_hint", "nonce", "redirect_uri",
                    "response_mode", "response_type", "scope", "state",
                ],
                ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"],
            ]
        )
        #expect(pages.first?.parameter("scope") == "orders openid profile offline_access")
        let issuer = bench.issuer.messages
        #expect(issuer.allSatisfy { $0.url.query() == nil && Self.standardHeaders.isSuperset(of: $0.headers.keys) })
        #expect(
            issuer.filter { $0.method == "POST" }.map { $0.form.keys.sorted() } == [
                ["client_id", "code", "code_verifier", "grant_type", "redirect_uri", "scope"],
                ["client_id", "grant_type", "redirect_uri", "refresh_token", "scope"],
            ]
        )
        #expect(issuer.filter { $0.method == "POST" }.map(\.repetition) == [.unlessSent, .unlessSent])
        #expect(try bench.application.allAccounts().isEmpty)
    }

    @Test func `a device code and a checkup send only parameters and headers of the standards`() async throws {
        let bench = try IssuerBench()

        let result = try await bench.application.acquireToken(with: MSALDeviceCodeTokenParameters(scopes: ["orders"]))
        let checkup = await MSALServiceCheckup(
            bench.application.configuration,
            scopes: ["orders"],
            transport: bench.issuer,
            time: bench.time
        )

        #expect(result.accessToken == "access-1")
        #expect(try checkup.authority.get() == "tokens.contoso.example")
        let messages = bench.issuer.messages
        #expect(messages.allSatisfy { Self.standardHeaders.isSuperset(of: $0.headers.keys) })
        #expect(
            messages.filter { $0.method == "POST" }.map { $0.form.keys.sorted() } == [
                ["client_id", "scope"], ["client_id", "device_code", "grant_type", "scope"],
            ]
        )
        #expect(
            messages.last?.url.names == [
                "client_id", "code_challenge", "code_challenge_method", "nonce", "prompt", "redirect_uri",
                "response_mode", "response_type", "scope", "state",
            ]
        )
    }

    @Test func `the account has the claims of the ID token, and can be found again`() async throws {
        // An issuer may give these claims another meaning.
        let bench = try IssuerBench(claims: ["tid": .integer(7), "oid": .string("someone")])
        bench.issuer.add(["client_info": .string(Contoso.clientInfo), "foci": .null])

        let result = try await bench.signIn()

        let identifier = try #require(result.account.identifier)
        let account = try bench.application.account(forIdentifier: identifier)
        #expect(identifier != Contoso.homeAccountID)
        #expect(account.username == "amy" && account.environment == "sso.contoso.example")
        #expect(account.accountClaims?["sub"] as? String == "Amy|1.x")
        #expect(account.tenantProfiles?.count == 1)
        #expect(try bench.application.account(forUsername: "AMY") == account)
        #expect(result.authority == bench.authority)
        #expect(result.authority is MSALOIDCAuthority)
    }

    @Test func `subjects that differ only in case are two accounts`() async throws {
        let store = MemoryStore()
        let (first, second) = (
            try IssuerBench(store: store), try IssuerBench(claims: ["sub": .string("amy|1.x")], store: store)
        )

        let accounts = [try await first.signIn().account, try await second.signIn().account]

        #expect(accounts[0] != accounts[1])
        #expect(try first.application.allAccounts().count == 2)
    }

    @Test func `a refresh for another subject is rejected, and the account keeps its tokens`() async throws {
        let bench = try IssuerBench()
        let account = try await bench.signIn().account
        bench.time.advance(by: .seconds(4000))
        bench.issuer.add(idToken: ["sub": .string("eve")])

        let error = await #expect(throws: NSError.self) { try await bench.silent(account) }

        #expect(error?.detail == -42600 || error?.detail == -42008)
        bench.issuer.add(idToken: [:])
        #expect(try await bench.silent(account).account == account)
    }

    @Test func `an issuer at the same host does not get the tokens of another one`() async throws {
        let store = MemoryStore()
        let staff = try IssuerBench(store: store)
        let guests = try IssuerBench(url: "https://sso.contoso.example/realms/guests", store: store)
        let account = try await staff.signIn().account

        let error = await #expect(throws: NSError.self) { try await guests.silent(account) }

        #expect(error?.code == MSALError.interactionRequired.rawValue)
        #expect(guests.issuer.messages.isEmpty)
    }

    @Test(
        arguments: [
            "https://sso.contoso.example/realms/staff/", "https://sso.contoso.example/realms/Staff",
            "https://sso.contoso.example", "https://login.microsoftonline.com/common/v2.0",
            "https://sso.contoso.example/realms/staff?a=b", "https://eu.contoso.example/realms/staff", "{tenantid}",
        ]
    )
    func `metadata of another issuer are rejected with both names`(_ name: String) async throws {
        let bench = try IssuerBench(metadata: ["issuer": .string(name)])

        let error = await #expect(throws: NSError.self) { _ = try await bench.signIn() }

        let description = try #require(error?.userInfo[MSALErrorDescriptionKey] as? String)
        #expect(error?.detail == -42010)
        #expect(description.contains("\"\(name)\"") && description.contains(bench.authority.url.absoluteString))
        #expect(description.contains("exact URL"))
        #expect(bench.agent.openedURLs.isEmpty)
    }

    @Test func `an endpoint without https is rejected`() async throws {
        let bench = try IssuerBench(metadata: ["token_endpoint": .string("http://sso.contoso.example/token")])

        let error = await #expect(throws: NSError.self) { _ = try await bench.signIn() }

        #expect(error?.detail == -42600)
        #expect(bench.agent.openedURLs.isEmpty)
    }

    @Test(
        arguments: [
            ("http://sso.contoso.example/realms/staff", "https"), ("http://127.0.0.1:8080", "https"),
            ("https://sso.contoso.example/?a=b", "query"), ("https://sso.contoso.example/#a", "fragment"),
            ("https://user@sso.contoso.example", "user"), ("https:///realms/staff", "host"),
        ]
    )
    func `a URL that cannot be an issuer is rejected`(_ text: String, _ cause: String) throws {
        let url = try #require(URL(string: text))

        let error = try #require(nsError { _ = try MSALOIDCAuthority(url: url) })

        #expect(error.detail == -42008)
        #expect((error.userInfo[MSALErrorDescriptionKey] as? String)?.contains(cause) == true)
    }

    @Test func `an ID token with a wrong signature or nonce is rejected`() async throws {
        for (name, value) in [("nonce", "other"), ("aud", "other"), ("iss", "https://sso.contoso.example")] {
            let bench = try IssuerBench(claims: [name: .string(value)])

            let error = await #expect(throws: NSError.self) { _ = try await bench.signIn() }

            #expect(error?.detail == -42600)
            #expect(try bench.application.allAccounts().isEmpty)
        }
        let bench = try IssuerBench()
        bench.issuer.breakSignatures()
        let error = await #expect(throws: NSError.self) { _ = try await bench.signIn() }
        #expect(error?.detail == -42600)
    }

    @Test func `a key that the issuer does not publish is not searched elsewhere`() async throws {
        let bench = try IssuerBench()
        bench.issuer.breakSignatures(keyID: "key-2")

        await #expect(throws: NSError.self) { _ = try await bench.signIn() }

        #expect(!bench.issuer.messages.contains { $0.url.query() != nil })
    }

    @Test func `what only Microsoft offers fails with the cause, before any request`() async throws {
        let bench = try IssuerBench()
        let other = try MSALAADAuthority(url: try #require(URL(string: "https://login.microsoftonline.com/common")))
        let guests = try MSALOIDCAuthority(url: try #require(URL(string: "https://sso.contoso.example/realms/guests")))
        let proof = MSALAuthenticationSchemePop(
            httpMethod: .GET,
            request: bench.authority.url,
            nonce: nil,
            additionalParameters: nil
        )
        let settings: [(MSALInteractiveTokenParameters) -> Void] = [
            { $0.authority = other }, { $0.authority = guests }, { $0.authenticationScheme = proof },
        ]

        for change in settings {
            let error = await #expect(throws: NSError.self) { _ = try await bench.signIn(change) }
            #expect(error?.detail == -42000)
        }

        let native = MSALNativeAuthPublicClientApplicationConfig(
            clientId: "client",
            authority: bench.authority,
            challengeTypes: .OOB
        )
        #expect(
            nsError { _ = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: native) }?.detail == -42000
        )
        let plan = try await bench.application.signInPlan(for: MSALInteractiveTokenParameters(scopes: ["orders"]))
        #expect(!plan.modes.contains(.broker))
        #expect(bench.issuer.messages.isEmpty)
    }
}

/// An application with an issuer, and a user who signs in.
private struct IssuerBench {
    let issuer: Issuer
    let authority: MSALOIDCAuthority
    let agent: StubAgent
    let time = ManualTime(skipsSleeps: true)
    let application: MSALPublicClientApplication

    init(
        url: String = "https://sso.contoso.example/realms/staff",
        metadata: [String: JSONValue] = [:],
        claims: [String: JSONValue] = [:],
        store: MemoryStore = MemoryStore()
    ) throws {
        let issuer = try Issuer(url, metadata: metadata, claims: claims, time: time)
        let agent = StubAgent { visit, url in
            issuer.note(nonce: url.parameter("nonce"))
            return ["code": "code-1", "state": visit.expectedState]
        }
        authority = try MSALOIDCAuthority(url: try #require(URL(string: url)))
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client",
            redirectUri: "http://localhost",
            authority: authority
        )
        configuration.applicationID = "com.contoso.app"
        application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: Platform(transport: issuer, agent: agent, time: time),
            store: store,
            session: CurrentSession(),
            registeredSchemes: []
        )
        (self.issuer, self.agent) = (issuer, agent)
    }

    @discardableResult
    func signIn(_ change: (MSALInteractiveTokenParameters) -> Void = { _ in }) async throws -> MSALResult {
        let parameters = MSALInteractiveTokenParameters(scopes: ["orders"])
        change(parameters)
        return try await application.acquireToken(with: parameters)
    }

    func silent(_ account: MSALAccount) async throws -> MSALResult {
        try await application.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: ["orders"], account: account))
    }
}

/// An OpenID Connect issuer that is not Microsoft's.
private final class Issuer: HTTPTransport {
    private struct State {
        var messages: [HTTPMessage] = []
        var nonce: String?
        var count = 0
        var claims: [String: JSONValue]
        var members: [String: JSONValue] = [:]
        var keyID: String?
    }

    private let url: String
    private let metadata: [String: JSONValue]
    private let signer: Signer
    private let time: ManualTime
    private let state: Mutex<State>

    init(_ url: String, metadata: [String: JSONValue], claims: [String: JSONValue], time: ManualTime) throws {
        self.url = url
        self.metadata = metadata
        self.time = time
        signer = try Signer("ES256")
        state = Mutex(State(claims: claims))
    }

    /// Every request, in order.
    var messages: [HTTPMessage] { state.withLock { $0.messages } }

    func note(nonce: String?) { state.withLock { $0.nonce = nonce } }

    /// Adds members to token responses.
    func add(_ members: [String: JSONValue]) { state.withLock { $0.members = members } }

    /// Replaces claims of the next ID tokens.
    func add(idToken claims: [String: JSONValue]) { state.withLock { $0.claims = claims } }

    /// Signs with another key of the same name, or of another one.
    func breakSignatures(keyID: String = "key-1") { state.withLock { $0.keyID = keyID } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.messages.append(message) }
        do {
            switch message.url.absoluteString {
            case "\(url)/.well-known/openid-configuration": return .json(document)
            case "https://keys.contoso.example/jwks":
                return .json(.object(["keys": .array([try signer.members()])]))
            case "https://tokens.contoso.example/device":
                return .json(
                    .object([
                        "device_code": .string("d"), "user_code": .string("BCDF"),
                        "verification_uri": .string("https://sso.contoso.example/device"),
                        "expires_in": .integer(600),
                    ])
                )
            case "https://tokens.contoso.example/token": return .json(try tokens())
            default: return HTTPResponse(status: 404)
            }
        } catch {
            throw TransportError(.badURL, message: "\(error)")
        }
    }

    private var document: JSONValue {
        let members: [String: JSONValue] = [
            "issuer": .string(url), "authorization_endpoint": .string("\(url)/authorize"),
            "token_endpoint": .string("https://tokens.contoso.example/token"),
            "device_authorization_endpoint": .string("https://tokens.contoso.example/device"),
            "end_session_endpoint": .string("\(url)/logout"), "jwks_uri": .string("https://keys.contoso.example/jwks"),
        ]
        return .object(members.merging(metadata) { $1 })
    }

    private func tokens() throws -> JSONValue {
        let state = state.withLock { state in
            state.count += 1
            return state
        }
        let now = Int64(time.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(url), "aud": .string("client"), "sub": .string("Amy|1.x"), "iat": .integer(now),
            "exp": .integer(now + 3600), "preferred_username": .string("amy"),
        ]
        claims["nonce"] = state.nonce.map(JSONValue.string)
        let text = JSONValue.object(claims.merging(state.claims) { $1 }).text
        let idToken =
            try state.keyID.map { id in try Signer("ES256").token(text, header: #"{"alg":"ES256","kid":"\#(id)"}"#) }
            ?? signer.token(text)
        let members: [String: JSONValue] = [
            "access_token": .string("access-\(state.count)"), "refresh_token": .string("refresh-\(state.count)"),
            "token_type": .string("bearer"), "expires_in": .integer(3600), "id_token": .string(idToken),
        ]
        return .object(members.merging(state.members) { $1 }.filter { $0.value != .null })
    }
}

extension URL {
    /// The names of the query's parameters, sorted.
    fileprivate var names: [String] {
        (URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems ?? []).map(\.name).sorted()
    }
}
