// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import TestSupport
import Testing

@testable import MSALBase

extension ProtocolConformance {
    /// The cases of what both libraries do, with the core that both use.
    @Test(arguments: ConformanceFolder.shared.cases(of: .exchange))
    func exchange(_ testCase: ConformanceCase) async throws {
        let runner = ExchangeRunner(testCase: testCase)
        switch testCase.op {
        case "accept": try await runner.accept()
        case "address": try runner.address()
        case "endpoint": await runner.endpoint()
        case "redirect": runner.redirect()
        default: failForUnknownOp(testCase)
        }
    }
}

private struct ExchangeRunner {
    let testCase: ConformanceCase

    func accept() async throws {
        let time = ManualTime()
        let isKnown = testCase["known"] != nil
        var policy = TokenAcceptance.Policy(idToken: isKnown ? .refresh : .full(nonce: nil))
        policy.verifiesSignature = false
        policy.wantsOneUser = testCase["oneUser"] != nil
        let acceptance = TokenAcceptance(
            policy,
            clientID: "c-1",
            authority: try Authority.aad(Authority.url("https://login.microsoftonline.com/t-1")),
            resolved: nil,
            authorities: AuthorityResolver(transport: ScriptedTransport(), time: time),
            correlationID: UUID()
        )
        var members: [String: JSONValue] = ["access_token": .string("at"), "expires_in": .integer(3600)]
        members["token_type"] = testCase["tokenType"]
        members["client_info"] = testCase["clientInfo"].map { .string(Base64URL.encode($0.text.utf8)) }
        if testCase.input.object?["claims"] != .null { members["id_token"] = .string(idToken(at: time.now)) }
        let known = TokenAcceptance.KnownUser(
            TokenOwner(homeAccountID: "u-1.t-1", homeTenantID: "t-1"),
            objectIDs: ["t-1": ["u-1"]]
        )
        let response = try TokenResponse(members: members, receivedAt: time.now)
        do throws(TokenAcceptance.Failure) {
            let accepted = try await acceptance.accept(response, of: isKnown ? known : nil)
            check("outcome", "accepted")
            check("owner", accepted.owner.homeAccountID)
        } catch {
            switch error {
            case .incomplete: check("outcome", "incomplete")
            case .refused: check("outcome", "refused")
            case .canceled: check("outcome", "canceled")
            }
        }
    }

    private func idToken(at now: Date) -> String {
        let good: [String: JSONValue] = [
            "iss": .string("https://login.microsoftonline.com/t-1/v2.0"), "aud": .string("c-1"), "sub": .string("s-1"),
            "exp": .integer(Int64(now.timeIntervalSince1970) + 3600), "tid": .string("t-1"), "oid": .string("u-1"),
        ]
        let claims = JSONValue.object(good.merging(testCase["claims"]?.object ?? [:]) { $1 })
        let parts = [#"{"alg":"RS256"}"#, claims.text, "signature"]
        return parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    func address() throws {
        var request = AuthorizationRequest(
            clientID: "c-1",
            authority: .default,
            state: "s-1",
            nonce: "n-1",
            pkce: PKCE(verifier: Secret("v-1")),
            correlationID: try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000A"))
        )
        request.scopes = ScopeSet(texts("scopes"))
        request.scopesToConsent = ScopeSet(texts("extraScopesToConsent"))
        request.loginHint = testCase["loginHint"]?.string
        request.homeAccountID = testCase["homeAccountId"]?.string
        request.domainHint = testCase["domainHint"]?.string
        request.prompt = testCase["prompt"]?.string
        request.claims = testCase["claims"]?.string
        request.ownParameters = (testCase["own"]?.array ?? []).map { ($0.object ?? [:]).compactMapValues(\.string) }

        let endpoint = try #require(URL(string: "https://issuer.example/authorize"))
        let url = request.url(at: endpoint, redirectURI: "https://app.example/signin")

        let items = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in
            Issue.record("A parameter is repeated.")
            return first
        }
        for (name, value) in testCase.expected("parameters")?.object ?? [:] {
            #expect(values[name] == value.string, "\(name)")
        }
        for name in testCase.expected("absent")?.array ?? [] { #expect(values[name.string ?? ""] == nil, "\(name)") }
    }

    private func texts(_ name: String) -> [String] { testCase[name]?.array?.compactMap(\.string) ?? [] }

    func endpoint() async {
        let body = testCase["body"]?.string ?? testCase["body"]?.text ?? ""
        let response = HTTPResponse(status: testCase["status"]?.double.map { Int($0) } ?? 0, body: Data(body.utf8))
        let endpoint = TokenEndpoint(
            transport: ScriptedTransport(.init("the case") { _ in response }),
            time: ManualTime()
        )
        let address = URL(string: "https://issuer.example/token")
        guard let address else { return }
        do throws(TokenEndpoint.Failure) {
            _ = try await endpoint.tokens(for: TokenEndpoint.Request(FormBody(), to: address, correlationID: UUID()))
            check("outcome", "tokens")
        } catch {
            switch error {
            case .transport: check("outcome", "transport")
            case .refused(let refusal):
                check(refusal)
                #expect(refusal.status == response.status)
            case .http(let given, _):
                check("outcome", "http")
                #expect(given.status == response.status)
            case .unreadable: check("outcome", "unreadable")
            }
        }
    }

    func redirect() {
        let parameters = testCase["parameters"]?.object ?? [:]
        do throws(RedirectResponse.Failure) {
            let response = try RedirectResponse({ parameters[$0]?.string }, expecting: "s-1") { iss in
                iss == nil || iss == "https://issuer.example"
            }
            check("outcome", "code")
            check("code", response.code.exposed)
        } catch {
            switch error {
            case .wrongState: check("outcome", "wrongState")
            case .wrongIssuer: check("outcome", "wrongIssuer")
            case .refused(let refusal): check(refusal)
            case .empty: check("outcome", "empty")
            }
        }
    }

    private func check(_ refusal: OAuthError) {
        check("outcome", "refused")
        check("error", refusal.error)
        check("suberror", refusal.suberror)
        check("claims", refusal.claims)
        if let codes = testCase.expected("codes") {
            #expect(JSONValue.array(refusal.codes.map { .integer(Int64($0)) }) == codes)
        }
        if testCase.expected("claimsAbsent") != nil { #expect(refusal.claims == nil) }
    }

    private func check(_ name: String, _ value: String?) {
        guard let expected = testCase.expected(name) else { return }
        #expect(value == expected.string, "\(name)")
    }
}
