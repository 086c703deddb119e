// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

extension ProtocolConformance {
    @Test(arguments: ConformanceFolder.shared.cases(of: .scopesClaims))
    func scopesClaims(_ testCase: ConformanceCase) throws {
        let runner = ScopesClaimsRunner(testCase: testCase)
        switch testCase.op {
        case "compose": runner.compose()
        case "validate": try runner.validate()
        case "lookup": runner.lookup()
        case "declined": runner.declined()
        case "capabilities": runner.capabilities()
        case "claims-parse": try runner.claimsParse()
        case "claims-json": try runner.claimsJSON()
        case "challenge": runner.challenge()
        case "auth-info": runner.authInfo()
        case "client-info": runner.clientInfo()
        case "pkce": runner.pkce()
        case "jwk-thumbprint", "req-cnf": runner.thumbprint()
        case "account": runner.account()
        case "id-token": try runner.idToken()
        case "retry-after": runner.retryAfter()
        default: failForUnknownOp(testCase)
        }
    }
}

private struct ScopesClaimsRunner {
    let testCase: ConformanceCase

    func compose() {
        let scopes = ScopeSet(strings("scopes"))
        let token = scopes.union(.openID)
        check("authorize", token.union(ScopeSet(strings("extraScopesToConsent"))).text)
        check("token", token.text)
        check("lookup", scopes.text)
    }

    func validate() throws {
        let clientID = "11111111-2222-3333-4444-555555555555"
        let scopes = strings("scopes").map { $0 == "$client_id" ? clientID : $0 }
        let isB2C = testCase["authority"]?.string == "b2c"
        let url = isB2C ? "https://contoso.b2clogin.com/tfp/t/p" : "https://login.microsoftonline.com/common"
        let authority = isB2C ? try Authority.b2c(try #require(URL(string: url))) : Authority.default
        let client = TokenClient(
            configuration: ClientConfiguration(clientID: clientID, authority: authority, redirectURI: .loopback),
            platform: .scripted(),
            store: MemoryStore(),
            session: CurrentSession()
        )
        do throws(AuthError) {
            try client.interactive.check(InteractiveRequest(token: TokenRequest(scopes: ScopeSet(scopes))))
            #expect(testCase.expected("error") == nil, "an error was expected")
        } catch {
            testCase.check(error.nsError)
        }
    }

    func lookup() {
        let target = testCase["cachedTarget"]?.string ?? ""
        check("match", .bool(ScopeSet(strings("requested")).normalized.isSubset(of: target.scopeKeys)))
    }

    func declined() {
        let granted = ScopeSet(parsing: testCase["granted"]?.string ?? "")
        let declined = ScopeSet(strings("requested")).declined(grantedBy: granted)
        #expect(declined.isEmpty == (testCase.expected("error") == nil))
        check("declined", .array(declined.values.map(JSONValue.string)))
        check("granted", .array(granted.subtracting(.openID).values.map(JSONValue.string)))
    }

    func capabilities() {
        let merged = ClaimsRequest.merged(capabilities: strings("capabilities"), claims: testCase["claims"])
        check("claims", merged ?? .null)
    }

    func claimsParse() throws {
        var error: NSError?
        let request = MSALClaimsRequest(jsonString: testCase["json"]?.string ?? "", error: &error)
        if let error {
            testCase.check(error)
        } else {
            #expect(testCase.expected("error") == nil, "an error was expected")
            check("claims", try request.json())
        }
    }

    func claimsJSON() throws {
        let request = MSALClaimsRequest()
        for value in testCase["requests"]?.array ?? [] {
            let members = try #require(value.object)
            let claim = MSALIndividualClaimRequest(name: members["name"]?.string ?? "")
            if members.keys.contains(where: ["essential", "value", "values"].contains) {
                let info = MSALIndividualClaimRequestAdditionalInfo()
                info.essential =
                    members["essential"]?.foundationObject as? NSNumber
                    ?? members["essential"]?.double.map(NSNumber.init(value:))
                info.value = members["value"]?.foundationObject
                info.values = members["values"]?.array?.map(\.foundationObject)
                claim.additionalInfo = info
            }
            try request.requestClaim(claim, for: members["target"] == .string("id_token") ? .idToken : .accessToken)
        }
        let text = try #require(request.jsonString())
        check("claims", try #require(JSONValue(parsing: Data(text.utf8))))
    }

    func challenge() {
        let challenges = AuthenticateChallenge.parse(strings("headers"))
        if let expected = testCase.expected("challenges")?.array {
            #expect(challenges.count == expected.count)
            for (challenge, expected) in zip(challenges, expected) {
                let actual: [String: String?] = [
                    "scheme": challenge.scheme, "authority": challenge.authority, "tenant": challenge.tenant,
                    "resource": challenge.resource, "error": challenge.error, "nonce": challenge.nonce,
                ]
                for (name, value) in expected.object ?? [:] { #expect(actual[name] == value.string, "\(name)") }
            }
        }
        let claims = challenges.claimsChallenge
        check("claimsChallenge", claims.flatMap { JSONValue(parsing: Data($0.utf8)) } ?? .null)
        check("claimsChallengeText", claims.map(JSONValue.string) ?? .null)
        check("popNonce", challenges.proofOfPossessionNonce.map(JSONValue.string) ?? .null)
    }

    func authInfo() {
        let next = AuthenticationInfo.nextNonce(strings("headers"))
        check("nextNonce", next.map(JSONValue.string) ?? .null)
        check("popNonce", (testCase["challengeNonce"]?.string ?? next).map(JSONValue.string) ?? .null)
    }

    func clientInfo() {
        let info = ClientInfo(raw: testCase["raw"]?.string ?? "")
        #expect((info == nil) == (testCase.expected("error") == .bool(true)))
        guard let info else { return }
        check("uid", info.uid)
        check("utid", info.utid)
        check("accountIdentifier", info.homeAccountID)
        check("objectId", info.uid)
        check("tenantId", info.utid)
    }

    func pkce() {
        let pkce = PKCE(verifier: Secret(testCase["verifier"]?.string ?? ""))
        check("challenge", pkce.challenge)
        check("method", pkce.method)
    }

    func thumbprint() {
        let keyID =
            testCase["kid"]?.string
            ?? ProofOfPossession.keyID(
                modulus: testCase["n"]?.string ?? "",
                exponent: testCase["e"]?.string ?? ""
            )
        check("kid", keyID)
        check("reqCnf", ProofOfPossession.requestConfirmation(keyID: keyID))
    }

    func account() {
        func account(_ name: String) -> MSALAccount {
            let members = testCase[name]?.object ?? [:]
            return MSALAccount(
                AccountSnapshot(
                    homeAccountID: members["identifier"]?.string ?? "",
                    username: members["username"]?.string ?? "",
                    environment: members["environment"]?.string ?? ""
                ),
                hasProfiles: false
            )
        }
        check("equal", .bool(account("a").isEqual(account("b"))))
    }

    func idToken() throws {
        let claims = try #require(IDTokenClaims(compact: testCase["raw"]?.string ?? ""))
        check("localAccountId", claims.localAccountID ?? "")
        check("username", claims.username(isB2C: testCase["authority"]?.string == "b2c"))
        check("realm", claims.tenantID ?? "")
    }

    func retryAfter() {
        // The fixture clock of the silent scenarios. Only dates in the header depend on it.
        let now = Date(timeIntervalSince1970: 1_767_225_600)
        let delay = RetryAfter.delay(testCase["header"]?.string ?? "", now: now)
        if let seconds = testCase.expected("seconds")?.double { #expect(delay == .seconds(seconds)) }
    }

    private func strings(_ name: String) -> [String] { testCase[name]?.array?.compactMap(\.string) ?? [] }

    private func check(_ name: String, _ value: String) { check(name, .string(value)) }

    private func check(_ name: String, _ value: JSONValue) {
        guard let expected = testCase.expected(name) else { return }
        #expect(value == expected, "\(name)")
    }
}
