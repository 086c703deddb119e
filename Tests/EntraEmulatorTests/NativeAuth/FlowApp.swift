// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// An app that speaks native authentication V2 over real sockets. It builds the address of the entry and of the token
/// endpoint, and follows links to all others.
struct FlowApp {
    let bench: Bench
    var clientID = "00000000-0000-4000-8000-000000000001"
    var tenant = "fabrikam.onmicrosoft.com"

    static let password = "Pa55-word!"
    static let scope = "openid profile offline_access"

    /// Starts a platform and runs the test with an app in front of it.
    static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (FlowApp) async throws -> Void
    ) async throws {
        try await Bench.run(change) { bench in try await body(FlowApp(bench: bench)) }
    }

    /// The same with branches of V2.
    static func run(
        with change: (inout NativeAuthV2Settings) -> Void,
        _ body: (FlowApp) async throws -> Void
    ) async throws {
        try await run({ change(&$0.nativeAuth.v2) }, body)
    }

    var emulator: Emulator { bench.emulator }
    var authority: String { "/\(tenant)" }

    // MARK: The two addresses that a client knows

    /// The entry.
    func enter(scope: String = FlowApp.scope, claims: String? = nil) async throws -> Bench.Response {
        var form = ["client_id": clientID, "scope": scope]
        form["claims"] = claims
        return try await bench.send(.POST, to: authority + "/oauth2/v2.0/authorize-challenge", form: form)
    }

    /// Redeems the code of a resumed flow.
    func redeem(_ resumed: Bench.Response, scope: String = FlowApp.scope) async throws -> Bench.Response {
        let code = try #require(try resumed.json()["code"] as? String, "\(resumed.text)")
        return try await redeem(code: code, scope: scope)
    }

    func redeem(code: String, scope: String = FlowApp.scope) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: authority + "/oauth2/v2.0/token",
            form: [
                "grant_type": "authorization_code", "client_id": clientID, "code": code, "client_info": "true",
                "scope": scope,
            ]
        )
    }

    // MARK: Links

    /// Follows a link of a response with the token of the response. `token`: Another one in its place.
    func follow(
        _ relation: String,
        of response: Bench.Response,
        method type: String? = nil,
        by verb: HTTPMethod = .POST,
        token: String? = nil,
        adding members: [String: Any] = [:]
    ) async throws -> Bench.Response {
        let address = try response.link(relation, of: type)
        let body = try members.merging(["continuationToken": token ?? response.flowToken()]) { own, _ in own }
        return try await send(verb, to: address, body: body)
    }

    /// Sends a body of JSON to the address of a link.
    func send(_ verb: HTTPMethod, to address: String, body: [String: Any]) async throws -> Bench.Response {
        let data = try JSONSerialization.data(withJSONObject: body)
        return try await bench.send(
            verb,
            to: address.replacing("{tenant}", with: tenant),
            headers: ["content-type": "application/json"],
            body: String(decoding: data, as: UTF8.self)
        )
    }

    /// Follows the link to the code of the tokens.
    func resume(_ response: Bench.Response) async throws -> Bench.Response {
        let address = try response.link("continue").replacing("{tenant}", with: tenant)
        return try await bench.send(.POST, to: address, form: ["continuation_token": response.flowToken()])
    }

    // MARK: Steps

    /// Enters, and says what is wanted: `sign_in`, `sign_up` or `reset_password`.
    func start(_ relation: String, as user: String, scope: String = FlowApp.scope) async throws -> Bench.Response {
        try await follow(relation, of: enter(scope: scope), adding: ["username": user])
    }

    /// Chooses a method, hands in the code that was sent to a recipient, and returns the answer to that.
    func prove(
        _ response: Bench.Response,
        by type: String,
        to recipient: String
    ) async throws -> Bench.Response {
        let sent = try await follow("challenge", of: response, method: type)
        return try await verify(sent, recipient)
    }

    /// Hands in the code that was sent to a recipient.
    func verify(_ sent: Bench.Response, _ recipient: String) async throws -> Bench.Response {
        try await follow("verify", of: sent, adding: ["otp": code(recipient)])
    }

    /// Signs in with the seed's password, up to the answer to that.
    func signIn(_ user: String, scope: String = FlowApp.scope) async throws -> Bench.Response {
        let asked = try await start("sign_in", as: user, scope: scope)
        return try await follow("verify", of: asked, adding: ["password": Self.password])
    }

    /// The tokens of a flow that is done.
    func tokens(_ done: Bench.Response, scope: String = FlowApp.scope) async throws -> [String: Any] {
        #expect(try done.state() == "continue")
        let response = try await redeem(resume(done), scope: scope)
        #expect(response.status == 200, "\(response.text)")
        return try response.json()
    }

    /// The newest code sent to somebody.
    func code(_ recipient: String) throws -> String {
        try #require(emulator.newestCode(for: recipient))
    }
}

/// The error of an answer of V2, for comparison in one line.
struct FlowFailure: Equatable, CustomStringConvertible {
    let code: String
    var inner: String?
    let number: Int
    var status = 400

    init(_ code: String, _ inner: String? = nil, number: Int, status: Int = 400) {
        self.code = code
        self.inner = inner
        self.number = number
        self.status = status
    }

    var description: String { "\(status) \(code) \(inner ?? "-") \(number)" }

    static let invalidContinuation = FlowFailure("invalidRequest", "invalidContinuationToken", number: 55_200)
    static let wrongCode = FlowFailure("invalidGrant", "invalidOneTimeCode", number: 50_181)
    static let wrongPassword = FlowFailure("invalidGrant", "invalidUserNameOrPassword", number: 50_126)
    static let blocked = FlowFailure("accessDenied", "providerBlockedByReputation", number: 550_024)
}

extension Bench.Response {
    func state() throws -> String? { try json()["state"] as? String }
    func action() throws -> String? { try json()["action"] as? String }

    /// The continuation token, under either name.
    func flowToken() throws -> String {
        let body = try json()
        return try #require((body["continuationToken"] ?? body["continuation_token"]) as? String, "\(text)")
    }

    /// The address of a link: of the answer, of a method in it, or of the entry.
    func link(_ relation: String, of type: String? = nil) throws -> String {
        var body = try json()
        if let type { body = try #require(methods().first { $0["type"] as? String == type }, "\(text)") }
        if let text = body[relation] as? String { return text }
        let links = try #require(body["_links"] as? [String: [String: Any]], "\(text)")
        return try #require(links[relation]?["href"] as? String, "\(text)")
    }

    /// The methods to choose from.
    func methods() throws -> [[String: Any]] {
        let embedded = try #require(try json()["_embedded"] as? [String: Any], "\(text)")
        return try #require(embedded["methods"] as? [[String: Any]])
    }

    func types() throws -> [String] { try methods().compactMap { $0["type"] as? String } }

    /// `singleFactor` or `multiFactor`.
    func factor() throws -> String? {
        (try json()["challengeContext"] as? [String: Any])?["authenticationFactor"] as? String
    }

    /// The error, if it has all the members that the service sends.
    func flowFailure() throws -> FlowFailure {
        let error = try #require(try json()["error"] as? [String: Any], "\(text)")
        for name in ["timestamp", "traceId", "correlationId"] { #expect(error[name] is String, "\(name)") }
        let message = try #require(error["message"] as? String)
        let number = try #require(message.wholeMatch(of: /AADSTS(\d+): .*/)).1
        return FlowFailure(
            try #require(error["code"] as? String),
            (error["innerError"] as? [String: Any])?["code"] as? String,
            number: try #require(Int(number)),
            status: status
        )
    }

    /// The details of the inner error: the attributes and why each was refused.
    func details() throws -> [String: String] {
        let error = try #require(try json()["error"] as? [String: Any], "\(text)")
        let inner = try #require(error["innerError"] as? [String: Any])
        let details = try #require(inner["details"] as? [[String: Any]])
        return Dictionary(
            details.flatMap { detail in
                (detail["attributeIds"] as? [String] ?? []).map { ($0, detail["code"] as? String ?? "") }
            }
        ) { first, _ in first }
    }
}
