// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

extension ProtocolConformance {
    @Test(arguments: ConformanceFolder.shared.cases(of: .silentScenarios))
    func `silent scenarios`(_ testCase: ConformanceCase) async throws {
        switch testCase.op {
        case "steps": try await SilentRunner(testCase).run()
        default: failForUnknownOp(testCase)
        }
    }
}

/// Performs the steps of one case with the real core, from the transport up to the public result and error.
private struct SilentRunner {
    private let testCase: ConformanceCase
    private let fixtures: SilentFixtures
    private let bench: ClientBench

    init(_ testCase: ConformanceCase) throws {
        self.testCase = testCase
        fixtures = SilentFixtures(testCase.fixtures)
        let configuration = try Self.configuration(fixtures, testCase["config"])
        let time = ManualTime(now: fixtures.clock, skipsSleeps: true)
        bench = ClientBench(configuration, time: time, agent: .givingCode)
    }

    func run() async throws {
        let references = testCase["cache"]?.array ?? []
        let records = SilentCaseRecords.records(references.map { fixtures.named($0, in: "records") })
        try bench.seed(try #require(records, "The case has a record that the runner cannot read."))
        if let discovery = testCase["discovery"]?.object {
            let response = CaseResponse.read(discovery)
            bench.service.setDiscovery(response.map { .response($0) } ?? .overridden(fixtures.resolved(discovery)))
        }
        let steps = testCase["steps"]?.array ?? []
        let expectations = testCase.expected("steps")?.array ?? []
        #expect(steps.count == expectations.count)
        for (index, (step, expected)) in zip(steps, expectations).enumerated() {
            try await run(step.object ?? [:], expected.object ?? [:], number: index)
        }
        if let cache = testCase.expected("cacheAfter")?.object { try check(cache: cache) }
    }

    private func run(_ step: [String: JSONValue], _ expected: [String: JSONValue], number: Int) async throws {
        bench.go(to: step["at"]?.double ?? 0, after: fixtures.clock)
        let earlier = bench.service.tokenRequests.count
        let isInteractive = step["interactive"].nonNull != nil
        for reference in step["server"]?.array ?? [] {
            let response = CaseResponse.read(responseMembers(reference))
            let scripted = try #require(response, "step \(number): the runner cannot read a response")
            bench.service.append([isInteractive ? minting(scripted) : scripted])
        }
        let outcome = try await outcome(of: step)
        check(outcome, expected, number: number)
        #expect(bench.service.unusedCount == 0, "step \(number): unused responses")
        if let requests = expected["requests"]?.array {
            check(Array(bench.service.tokenRequests.dropFirst(earlier)), requests, number: number)
        }
    }

    private func outcome(of step: [String: JSONValue]) async throws -> Result<TokenResult, AuthError> {
        let members = fixtures.defaults("request", with: step["request"])
        guard let interaction = step["interactive"].nonNull else {
            var request = SilentRequest(token: try token(members), account: account(members["account"]))
            request.forceRefresh = members["forceRefresh"]?.bool ?? false
            do throws(AuthError) {
                return .success(try await bench.client.silent.acquire(request))
            } catch {
                return .failure(error)
            }
        }
        #expect(interaction == .string("success"), "The runner supports only interactions that succeed.")
        do throws(AuthError) {
            var request = InteractiveRequest(token: try token(members))
            // A sign-in for which the case names no scopes requests the scopes that its response grants.
            if step["request"]?.object?["scopes"] == nil, let granted = grantedScopes(step) {
                request.token.scopes = granted.subtracting(.openID)
            }
            return .success(try await bench.client.interactive.acquire(request))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Expectations

    private func check(
        _ outcome: Result<TokenResult, AuthError>,
        _ expected: [String: JSONValue],
        number: Int
    ) {
        switch (outcome, expected["result"].nonNull?.object, expected["error"].nonNull) {
        case (.success(let token), let result?, nil):
            check(MSALResult(token), fixtures.resolved(result), number: number)
        case (.failure(let error), nil, let expected?):
            PublicErrorCheck.check(error.nsError, fixtures.resolved(expected))
        case (.success, _, _):
            Issue.record("step \(number): an error was expected, but there is a result")
        case (.failure(let error), _, _):
            Issue.record("step \(number): a result was expected, but: \(error.nsError)")
        }
    }

    private func check(_ result: MSALResult, _ expected: [String: JSONValue], number: Int) {
        let token: String = result.accessToken
        for (name, value) in expected {
            let actual: JSONValue? =
                switch name {
                case "accessToken": .string(token)
                case "idToken": result.idToken.map(JSONValue.string)
                case "scopes": .array(result.scopes.map(JSONValue.string))
                case "extendedLifeTimeToken": .bool(result.extendedLifeTimeToken)
                case "tenantId": result.tenantProfile.tenantId.map(JSONValue.string)
                case "username": result.account.username.map(JSONValue.string)
                case "homeAccountId", "identifier": result.account.identifier.map(JSONValue.string)
                case "environment": .string(result.account.environment)
                case "authority": .string(result.authority.url.absoluteString)
                case "expiresOn", "expires_on":
                    result.expiresOn.map { .string(String(Int64($0.timeIntervalSince1970))) }
                default: .string("a member of results that the runner does not support")
                }
            #expect(actual ?? .null == value, "step \(number): \(name)")
        }
    }

    private func check(_ actual: [HTTPMessage], _ expected: [JSONValue], number: Int) {
        #expect(actual.count == expected.count, "step \(number): \(actual)")
        for (message, expectation) in zip(actual, expected) {
            var members = fixtures.resolved(expectation.object ?? [:])
            let endpoint = members.removeValue(forKey: "endpoint")?.string ?? fixtures.text("token_endpoint")
            #expect(message.url.absoluteString.components(separatedBy: "?").first == endpoint, "step \(number)")
            let form = message.form
            for (name, value) in members {
                switch name {
                case "bodyAbsent":
                    for absent in value.array?.compactMap(\.string) ?? [] {
                        #expect(form[absent] == nil, "step \(number): \(absent)")
                    }
                case "claimsJSON":
                    let claims = form["claims"].flatMap { JSONValue(parsing: Data($0.utf8)) }
                    #expect(claims ?? .null == value, "step \(number): claims")
                default:
                    #expect(form[name].map(JSONValue.string) ?? .null == value, "step \(number): \(name)")
                }
            }
        }
    }

    private func check(cache: [String: JSONValue]) throws {
        let objects = try bench.records().flatMap(SilentCaseRecords.objects)
        for present in cache["present"]?.array ?? [] {
            let subset = fixtures.resolved(present.object ?? [:])
            #expect(objects.contains { SilentCaseRecords.contains($0, subset) }, "absent: \(present.text)")
        }
        for absent in cache["absent"]?.array ?? [] {
            let subset = fixtures.resolved(absent.object ?? [:])
            #expect(!objects.contains { SilentCaseRecords.contains($0, subset) }, "present: \(absent.text)")
        }
    }

    // MARK: Inputs

    private static func configuration(
        _ fixtures: SilentFixtures,
        _ own: JSONValue?
    ) throws -> ClientConfiguration {
        let members = fixtures.defaults("config", with: own)
        let authority = fixtures.resolved(members["authority"] ?? .string(fixtures.text("authority"))).string ?? ""
        let url = try Authority.url(authority)
        var configuration = ClientConfiguration(
            clientID: members["clientId"]?.string ?? fixtures.text("client_id"),
            authority: try Authority.guess(url),
            redirectURI: .loopback
        )
        for (name, value) in members {
            switch name {
            case "authority", "clientId": break
            case "tokenExpirationBuffer": configuration.tokenExpirationBuffer = .seconds(value.double ?? 0)
            case "extendedLifetimeEnabled": configuration.extendedLifetimeEnabled = value.bool ?? false
            case "clientCapabilities": configuration.app.capabilities = value.array?.compactMap(\.string) ?? []
            case "multipleCloudsSupported": configuration.app.multipleCloudsSupported = value.bool ?? false
            case "instanceDiscoveryEnabled":
                configuration.authorityRules.isInstanceDiscoveryEnabled = value.bool ?? true
            case "knownAuthorities":
                for text in value.array?.compactMap(\.string) ?? [] {
                    configuration.authorityRules.known.append(try Authority.guess(try Authority.url(text)))
                }
            default: Issue.record("The runner does not support the setting \(name).")
            }
        }
        return configuration
    }

    private func token(_ members: [String: JSONValue]) throws(AuthError) -> TokenRequest {
        var request = TokenRequest(scopes: ScopeSet(members["scopes"]?.array?.compactMap(\.string) ?? []))
        for (name, value) in members {
            switch name {
            case "scopes", "account", "forceRefresh": break
            case "claims": request.claims = value == .null ? nil : value
            case "authority":
                guard let text = fixtures.resolved(value).string else { continue }
                do {
                    request.authority = try Authority.guess(try Authority.url(text))
                } catch {
                    throw AuthError(error)
                }
            case "extraQueryParameters":
                request.extraQueryParameters = value.object?.compactMapValues(\.string) ?? [:]
            case "correlationId":
                request.correlationID = value.string.flatMap(UUID.init(uuidString:)) ?? request.correlationID
            default: Issue.record("The runner does not support the member \(name) of a request.")
            }
        }
        return request
    }

    private func grantedScopes(_ step: [String: JSONValue]) -> ScopeSet? {
        let responses = step["server"]?.array?.map { responseMembers($0)["json"]?.object?["scope"]?.string }
        return responses?.compactMap(\.self).last.map(ScopeSet.init(parsing:))
    }

    private func account(_ reference: JSONValue?) -> AccountReference? {
        guard let reference = reference.nonNull else { return nil }
        let members = fixtures.named(reference)
        return AccountReference(
            homeAccountID: members["home_account_id"]?.string,
            username: members["username"]?.string,
            environment: members["environment"]?.string
        )
    }

    /// `{use: name, json: overrides}` changes members of the named response's JSON. Everything else is used unchanged.
    private func responseMembers(_ reference: JSONValue) -> [String: JSONValue] {
        let responses = fixtures.members["answers"]?.object ?? [:]
        if let name = reference.string { return fixtures.resolved(responses[name]?.object ?? [:]) }
        var own = reference.object ?? [:]
        guard let base = own.removeValue(forKey: "use")?.string.flatMap({ responses[$0]?.object }) else {
            return fixtures.resolved(own)
        }
        let json = (base["json"]?.object ?? [:]).merging(own.removeValue(forKey: "json")?.object ?? [:]) { $1 }
        var members = base.merging(own) { $1 }
        members["json"] = .object(json.filter { $0.value != .null })
        return fixtures.resolved(members)
    }

    /// The response with its ID token recreated for this sign-in: its nonce, and times around now
    /// (docs/reference/Protocol.md#id-token).
    private func minting(_ response: StandInService.Response) -> StandInService.Response {
        guard
            case .reply(let reply) = response, let received = JSONValue(parsing: reply.body)?.object,
            let claims = received["id_token"]?.string.flatMap(IDTokenClaims.init(compact:))?.all
        else { return response }
        let now = bench.time.now
        let agent = bench.agent
        return .made { _ throws(TransportError) in
            let fresh = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                .filter { ["nonce", "exp", "nbf", "iat"].contains($0.key) }
            var members = received
            members["id_token"] = .string(Contoso.idToken(claims.merging(fresh) { $1 }))
            return .json(.object(members), status: reply.status, headers: reply.headers)
        }
    }
}

extension URL {
    /// The value of a query parameter.
    func parameter(_ name: String) -> String? {
        URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }
}
