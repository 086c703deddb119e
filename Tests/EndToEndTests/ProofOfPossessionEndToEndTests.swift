// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Tokens that are bound to a key, from the sign-in to an API that checks the signature, over TLS.
struct ProofOfPossessionEndToEndTests {
    private static let path = "v1.0/me"

    /// Sends a request as an app does.
    private static func call(
        _ scenario: EndToEndScenario,
        path: String = path,
        method: String = "GET",
        authorization: String
    ) async throws -> HTTPResponse {
        let settings = HTTPSettings.trusting(scenario.emulator.certificateAuthorityFile)
        let message = HTTPMessage(
            method: method,
            to: try HTTPAddress(scenario.emulator.baseURL.appending(path: path)),
            headers: ["Authorization": authorization]
        )
        return try await AsyncHTTPClientTransport(settings).send(message)
    }

    private static func scheme(
        _ scenario: EndToEndScenario,
        path: String = path,
        method: MSALHttpMethod = .GET,
        keyPair: MSALExternalKeyPair? = nil
    ) -> MSALAuthenticationSchemePop {
        MSALAuthenticationSchemePop(
            httpMethod: method,
            request: scenario.emulator.baseURL.appending(path: path),
            nonce: nil,
            additionalParameters: nil,
            externalKeyPair: keyPair
        )
    }

    private static func silently(
        _ scenario: EndToEndScenario,
        account: MSALAccount,
        scheme: MSALAuthenticationSchemePop,
        refresh: Bool = false
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.authenticationScheme = scheme
        parameters.forceRefresh = refresh
        return try await scenario.application.acquireTokenSilent(with: parameters)
    }

    /// The members of a part of a JSON Web Signature.
    private static func payload(_ compact: String) throws -> [String: MSALBase.JSONValue] {
        let parts = compact.split(separator: ".")
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(String(parts[1])))
        return try #require(MSALBase.JSONValue(parsing: bytes)?.object)
    }

    /// The token within the signed request.
    private static func token(_ result: MSALResult) throws -> String {
        try #require(try payload(result.accessToken)["at"]?.string)
    }

    @Test func `the header of a result is valid for its request, once, and for no other`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn(scheme: Self.scheme(scenario))
            let header = result.authorizationHeader
            let first = try await Self.call(scenario, authorization: header)
            let again = try await Self.call(scenario, authorization: header)
            let next = try await Self.silently(scenario, account: result.account, scheme: Self.scheme(scenario))
            let elsewhere = try await Self.call(
                scenario,
                path: "oidc/userinfo",
                authorization: next.authorizationHeader
            )
            let userInfo = try await Self.silently(
                scenario,
                account: result.account,
                scheme: Self.scheme(scenario, path: "oidc/userinfo")
            )
            let otherMethod = try await Self.call(
                scenario,
                path: "oidc/userinfo",
                method: "POST",
                authorization: userInfo.authorizationHeader
            )
            let bearer = try await Self.call(scenario, authorization: "Bearer \(try Self.token(result))")
            let tokenRequests = scenario.emulator.journal.filter { $0.path.hasSuffix("/token") }

            #expect(result.authenticationScheme == "Pop")
            #expect(header.hasPrefix("Pop "))
            #expect(first.status == 200)
            #expect(String(decoding: first.body, as: UTF8.self).contains("megan@contoso.example"))
            for (answer, reason) in [
                (again, "used before"), (elsewhere, "another path"), (otherMethod, "another method"),
                (bearer, "bound to a key"),
            ] {
                #expect(answer.status == 401)
                let challenge = try #require(answer[header: "www-authenticate"])
                #expect(challenge.hasPrefix("PoP "))
                #expect(challenge.contains(reason))
            }
            // One token, signed three times.
            #expect(tokenRequests.count == 1)
            #expect(try Self.token(next) == Self.token(result))
        }
    }

    @Test func `an API accepts a token that is bound to the app's own key, also after a restart`() async throws {
        let pem = try SharedKeys.pem("app")
        try await EndToEndScenario.run { scenario in
            let pair = try MSALExternalKeyPair(privateKeyPEM: pem)
            let result = try await scenario.signIn(scheme: Self.scheme(scenario, keyPair: pair))
            let first = try await Self.call(scenario, authorization: result.authorizationHeader)
            let next = try scenario.restarted()
            let same = try MSALExternalKeyPair(privateKeyPEM: pem)
            let held = try await Self.silently(
                next,
                account: result.account,
                scheme: Self.scheme(scenario, keyPair: same)
            )
            let second = try await Self.call(scenario, authorization: held.authorizationHeader)
            let bound = try Self.payload(try Self.token(result))["cnf"]?.object?["kid"]?.string

            #expect(bound == pair.keyId)
            #expect(first.status == 200 && second.status == 200)
            #expect(scenario.emulator.journal.count { $0.path.hasSuffix("/token") } == 1)
        }
    }

    @Test func `a renewed token is bound to the same key`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn(scheme: Self.scheme(scenario))
            let renewed = try await Self.silently(
                scenario,
                account: result.account,
                scheme: Self.scheme(scenario),
                refresh: true
            )
            let answer = try await Self.call(scenario, authorization: renewed.authorizationHeader)
            let requests = scenario.emulator.journal.filter { $0.path.hasSuffix("/token") }
            let (old, new) = (try Self.token(result), try Self.token(renewed))
            let (oldKey, newKey) = (try Self.payload(old)["cnf"], try Self.payload(new)["cnf"])

            #expect(old != new)
            #expect(oldKey != nil)
            #expect(oldKey == newKey)
            #expect(requests.map { $0.form["grant_type"] } == ["authorization_code", "refresh_token"])
            #expect(Set(requests.map { $0.form["req_cnf"] }).count == 1)
            #expect(answer.status == 200)
        }
    }

    @Test func `after a restart the key in the file signs for the token in the store`() async throws {
        let folder = try TemporaryDirectory()
        let machine = { (caFile: URL?) in
            var platform = SystemMachine.platform(caFile: nil, HTTPSettings.variablesTrusting(caFile))
            platform.proofKeys = ProofKeyFile(directory: folder.path)
            return platform
        }
        try await EndToEndScenario.run(machine: machine) { scenario in
            let result = try await scenario.signIn(scheme: Self.scheme(scenario))
            let next = try scenario.restarted()
            let held = try await Self.silently(next, account: result.account, scheme: Self.scheme(scenario))
            let answer = try await Self.call(scenario, authorization: held.authorizationHeader)
            let tokenRequests = scenario.emulator.journal.filter { $0.path.hasSuffix("/token") }

            #expect(answer.status == 200)
            #expect(tokenRequests.count == 1)
        }
    }

    @Test func `an old signature is rejected`() async throws {
        try await EndToEndScenario.run { scenario in
            let result = try await scenario.signIn(scheme: Self.scheme(scenario))
            await scenario.emulator.advanceClock(by: .seconds(301))
            let answer = try await Self.call(scenario, authorization: result.authorizationHeader)

            #expect(answer.status == 401)
            #expect(answer[header: "www-authenticate"]?.contains("too old") == true)
        }
    }

    @Test func `bound and bearer tokens of one person are stored side by side`() async throws {
        try await EndToEndScenario.run { scenario in
            let bound = try await scenario.signIn(scheme: Self.scheme(scenario))
            let bearer = try await scenario.application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: bound.account)
            )
            let asBearer = try await Self.call(scenario, authorization: bearer.authorizationHeader)
            let asBound = try await Self.call(scenario, authorization: bound.authorizationHeader)

            #expect(bearer.authorizationHeader.hasPrefix("Bearer "))
            #expect(asBearer.status == 200)
            #expect(asBound.status == 200)
        }
    }
}
