// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `POST /tokens`: issues an access token without a sign-in. `POST /issuers`: makes tokens of the simulated external
/// issuers invalid.
extension ControlAPI {
    private static let lifetimes = -31_536_000...31_536_000

    /// Issues a token for `api` and `user`, `application`, or both; optionally with `tenant`, `scopes`, `set`,
    /// `expires` (seconds from now), and `flaw`.
    func mintToken(_ body: JSONValue) async throws -> Response {
        let body = try ControlBody(body, of: .accessToken)
        var request = TestToken(api: try body.required("api", read: body.text))
        request.user = try body.text("user")
        request.application = try body.text("application")
        request.tenant = try body.text("tenant")
        request.scopes = try body.list("scopes")
        request.claims = try Self.claims(body["set"])
        request.lifetime = try body.number("expires", in: Self.lifetimes).map { .seconds($0) }
        request.flaw = try body.choice("flaw")
        request.isForced = try body.flag("force") ?? false
        do {
            let minted = try await parts.mint.token(request)
            return .json(
                [
                    "access_token": .string(minted.text.exposed), "token_type": "Bearer",
                    "expires_in": .int(minted.lifetime),
                ],
                status: .created
            )
        } catch let refusal as TestToken.Refusal {
            throw ControlRefusal(refusal.description)
        }
    }

    /// Sets `claims` in tokens: of `user`, `application`, `api`, and the type `token`; `once` only in those of the next
    /// sign-in. They are an entry of `/tokenClaims` until then, or until it is removed.
    func setClaims(_ body: JSONValue) async throws -> Response {
        _ = try ControlBody(body, of: .setClaims).required("claims") { body[$0] }
        guard case .object(var members) = body else { return try Self.notFound() }
        if let name = members["user"]?.string, try parts.store.user(name) == nil {
            throw ControlRefusal("'user' does not match a user: \(name)")
        }
        members["id"] = .string(UUID.random().text)
        return try respondFromDirectory(to: .post, path: "/tokenClaims", query: .empty, body: .object(members))
            ?? Self.notFound()
    }

    /// Makes the next tokens of the external issuers invalid: `flaw`; optionally `issuer` and `count`.
    func flawTokens(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .flawFederatedTokens)
        let flaw: FederatedToken.Flaw = try body.required("flaw") { name throws(ControlRefusal) in try body.choice(name)
        }
        let issuer: FederatedIssuer? = try body.choice("issuer", otherwise: "all issuers are affected")
        let count = try body.number("count", in: 1...1_000_000) ?? 1
        parts.flaws.enqueue(flaw, of: issuer, count: count)
        return .json(["queued": .int(count)], status: .created)
    }

    private static func claims(_ value: JSONValue?) throws(ControlRefusal) -> [String: TestToken.Claim] {
        guard let value else { return [:] }
        guard let members = value.object else {
            throw ControlRefusal("'set' must be an object with the claims and their values")
        }
        return members.mapValues { $0 == .null ? .none : .json(String(decoding: $0.encoded(), as: UTF8.self)) }
    }
}
