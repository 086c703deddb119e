// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// An app that speaks native authentication over real sockets.
struct NativeApp {
    let bench: Bench
    var clientID = "00000000-0000-4000-8000-000000000001"
    var tenant = "fabrikam.onmicrosoft.com"
    var challengeTypes = "oob password redirect"
    var capabilities = "mfa_required registration_required"

    static let password = "Pa55-word!"

    /// Starts a platform and runs the test with an app in front of it.
    static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (NativeApp) async throws -> Void
    ) async throws {
        try await Bench.run(change) { bench in try await body(NativeApp(bench: bench)) }
    }

    var emulator: Emulator { bench.emulator }

    /// Posts a form; the client ID is added, `nil` leaves a parameter out.
    func post(_ path: String, form: [String: String?]) async throws -> Bench.Response {
        let defaults: [String: String?] = ["client_id": clientID]
        let all = defaults.merging(form) { _, new in new }
        return try await bench.send(.POST, to: "/\(tenant)/\(path)", form: all.compactMapValues { $0 })
    }

    /// `initiate` or a `start`.
    func begin(_ path: String, user: String, adding more: [String: String?] = [:]) async throws -> Bench.Response {
        let form: [String: String?] = [
            "username": user, "challenge_type": challengeTypes, "capabilities": capabilities,
        ]
        return try await post(path, form: form.merging(more) { _, new in new })
    }

    /// A request with a continuation token.
    func next(_ path: String, token: String, adding more: [String: String?] = [:]) async throws -> Bench.Response {
        try await post(path, form: ["continuation_token": token].merging(more) { _, new in new })
    }

    /// `challenge` of a flow.
    func challenge(_ path: String, token: String, adding more: [String: String?] = [:]) async throws -> Bench.Response {
        try await next(path, token: token, adding: ["challenge_type": challengeTypes].merging(more) { _, new in new })
    }

    /// Initiates and challenges; the response's token can be used for a password or a code.
    func challenged(_ user: String) async throws -> String {
        let begun = try await begin("oauth2/v2.0/initiate", user: user).token()
        return try await challenge("oauth2/v2.0/challenge", token: begun).token()
    }

    /// A token request.
    func redeem(_ grantType: String, token: String, adding more: [String: String?] = [:]) async throws -> Bench.Response
    {
        let form: [String: String?] = [
            "grant_type": grantType, "scope": "openid profile offline_access", "client_info": "true",
        ]
        return try await next("oauth2/v2.0/token", token: token, adding: form.merging(more) { _, new in new })
    }

    /// Signs in with the seed's password.
    func signIn(_ user: String, scope: String = "openid profile offline_access") async throws -> Bench.Response {
        try await redeem(
            "password",
            token: try await challenged(user),
            adding: ["password": Self.password, "scope": scope]
        )
    }

    /// A refresh for another API.
    func refresh(_ token: Any?, scope: String) async throws -> Bench.Response {
        try await post(
            "oauth2/v2.0/token",
            form: [
                "grant_type": "refresh_token", "refresh_token": try #require(token as? String),
                "scope": scope + " openid profile offline_access", "client_info": "1",
            ]
        )
    }

    /// The newest code sent to somebody.
    func code(_ recipient: String) throws -> String {
        try #require(emulator.newestCode(for: recipient))
    }

    /// Signs up until the code was sent.
    func signUpChallenged(_ user: String, adding more: [String: String?] = [:]) async throws -> String {
        let begun = try await begin("signup/v1.0/start", user: user, adding: more).token()
        return try await challenge("signup/v1.0/challenge", token: begun).token()
    }

    /// Resets until a new password can be handed in.
    func resetVerified(_ user: String) async throws -> String {
        let begun = try await begin("resetpassword/v1.0/start", user: user).token()
        let sent = try await challenge("resetpassword/v1.0/challenge", token: begun).token()
        return try await next(
            "resetpassword/v1.0/continue",
            token: sent,
            adding: ["grant_type": "oob", "oob": code(user)]
        ).token()
    }
}

/// The error of a response, for comparison in one line.
struct Refusal: Equatable, CustomStringConvertible {
    let error: String
    var suberror: String?
    let number: Int

    init(_ error: String, number: Int, suberror: String? = nil) {
        self.error = error
        self.suberror = suberror
        self.number = number
    }

    var description: String { "\(error) \(suberror ?? "-") \(number)" }
}

extension Bench.Response {
    /// The continuation token.
    func token() throws -> String {
        try #require(try json()["continuation_token"] as? String, "\(text)")
    }

    /// The error, if it has all the members that the service sends.
    func refusal() throws -> Refusal {
        let body = try json()
        #expect(status == 400)
        let number = try #require((body["error_codes"] as? [Int])?.first, "\(text)")
        let description = try #require(body["error_description"] as? String)
        #expect(description.hasPrefix("AADSTS\(number): "))
        for part in ["Trace ID: ", "Correlation ID: ", "Timestamp: "] { #expect(description.contains(part)) }
        for name in ["timestamp", "trace_id", "correlation_id"] { #expect(body[name] is String) }
        return Refusal(try #require(body["error"] as? String), number: number, suberror: body["suberror"] as? String)
    }

    /// The names in a list of attributes.
    func names(_ member: String) throws -> [String] {
        (try json()[member] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
}
