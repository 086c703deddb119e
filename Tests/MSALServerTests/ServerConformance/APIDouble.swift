// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

/// An API with the settings of a case, at the time of the case.
struct APIDouble {
    let configuration: MSALTokenValidatorConfiguration
    let requirement: MSALRequirement
    let validator: MSALTokenValidator
    let issuer: IssuerDouble
    let time: ManualTime

    init(_ testCase: ServerCase) throws {
        let settings = testCase.input.object("settings") ?? CaseMembers([:])
        let name = try #require(testCase["api"]?.string)
        let members = CaseMembers(try #require(testCase.fixtures.object?["apis"]?.object?[name]?.object))
        let now = testCase["now"]?.double ?? testCase.fixtures.object?["now"]?.double ?? 0
        time = ManualTime(now: Date(timeIntervalSince1970: now))
        issuer = IssuerDouble(testCase.fixtures)
        configuration = try Self.configuration(members, settings: settings)
        requirement = Self.requirement(settings.object("requires"))
        validator = try MSALTokenValidator([configuration]) { [time, issuer] _ in
            ServerEnvironment.double(time: time, transport: issuer)
        }
    }

    private static func configuration(
        _ members: CaseMembers,
        settings: CaseMembers
    ) throws -> MSALTokenValidatorConfiguration {
        let tenants = settings["tenants"] ?? members["tenants"]
        var configuration = MSALTokenValidatorConfiguration(
            clientId: try #require((settings["clientId"] ?? members["clientId"])?.string),
            authority: .url(try #require((settings["authority"] ?? members["authority"])?.string)),
            tenants: tenants == .string("any") ? .any : .list(Set(tenants?.array?.compactMap(\.string) ?? []))
        )
        configuration.audiences = Set(settings.texts("audiences"))
        if settings.peek("clients") != nil { configuration.clients = Set(settings.texts("clients")) }
        if settings.peek("algorithms") != nil {
            configuration.algorithms = Set(settings.texts("algorithms").compactMap(JSONWebSignature.Algorithm.init))
        }
        if let skew = settings["clockSkew"]?.double { configuration.clockSkew = .seconds(skew) }
        configuration.allowsTokensWithoutPermissions = settings["allowsTokensWithoutPermissions"] == .bool(true)
        var proofs = MSALProofSettings()
        if let nonce = settings["proofNonce"]?.string { proofs.acceptsNonce = { $0 == nonce } }
        configuration.proofs = proofs
        return configuration
    }

    /// Scopes and roles of users are both required. Roles of applications are the alternative.
    private static func requirement(_ requires: CaseMembers?) -> MSALRequirement {
        guard let requires else { return .anyPermission }
        func any(_ name: String, _ make: (String) -> MSALRequirement) -> MSALRequirement? {
            let all = requires.texts(name).map(make)
            return all.first.map { first in all.dropFirst().reduce(first) { .any($0, $1) } }
        }
        let scope = any("anyScope") { .scope($0) }
        let role = any("anyUserRole") { .userRole($0) }
        let user = scope.map { scope in role.map { .all(scope, $0) } ?? scope } ?? role
        let application = any("anyApplicationRole") { .applicationRole($0) }
        return user.map { user in application.map { .any(user, $0) } ?? user } ?? application ?? .anyPermission
    }

    /// Compares the result of a token with the case.
    func expectOutcome(
        of testCase: ServerCase,
        _ check: () async throws(MSALTokenRejection) -> MSALPrincipal
    ) async {
        do throws(MSALTokenRejection) {
            let principal = try await check()
            guard let expected = testCase.output.object("accept") else {
                Issue.record(
                    "The token was accepted, and the case requires \(testCase.expected("reject")?.text ?? "nothing")."
                )
                return
            }
            #expect(testCase.expected("reject") == nil)
            expect(principal, has: expected)
        } catch {
            #expect(error.code.rawValue == testCase.expected("reject")?.string)
            #expect(testCase.expected("status")?.double == Double(error.status))
        }
    }

    private func expect(_ principal: MSALPrincipal, has expected: CaseMembers) {
        #expect("\(principal.kind)" == expected["kind"]?.string)
        // The tenant of a token without one is that in the URL of its issuer.
        #expect(principal.claim("tid")?.string == expected.raw("tenant")?.string)
        #expect(expected["tenant"].map { $0.string == principal.tenant } ?? true)
        #expect(principal.client == expected["client"]?.string)
        #expect(principal.objectId == expected["objectId"]?.string)
        #expect(principal.scopes == Set(expected.texts("scopes")))
        #expect(principal.roles == Set(expected.texts("roles")))
        #expect(principal.claim("ver")?.string == expected["version"]?.string)
        #expect(principal.capabilities == Set(expected.texts("capabilities")))
    }
}

/// The issuers of the fixtures. Every other URL is unreachable.
final class IssuerDouble: HTTPTransport {
    private struct State {
        var requests: [String] = []
        var strange: [String] = []
    }

    private let responses: [String: JSONValue]
    private let state = Mutex(State())

    init(_ fixtures: JSONValue) {
        let documents = (fixtures.object?["documents"]?.object ?? [:]).mapValues(Self.completed)
        responses = documents.merging(fixtures.object?["keySets"]?.object ?? [:]) { first, _ in first }
    }

    /// The fixtures have the members that a validator reads. A real document also has endpoints.
    static func completed(_ document: JSONValue) -> JSONValue {
        var members = document.object ?? [:]
        members["authorization_endpoint"] = .string("https://login.microsoftonline.com/common/oauth2/v2.0/authorize")
        members["token_endpoint"] = .string("https://login.microsoftonline.com/common/oauth2/v2.0/token")
        return .object(members)
    }

    /// The requested URLs, in order.
    var requests: [String] { state.withLock { $0.requests } }

    /// The requested URLs without a fixture.
    var strangeRequests: [String] { state.withLock { $0.strange } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let address = message.url.absoluteString
        let response = responses[address]
        state.withLock { state in
            state.requests.append(address)
            if response == nil { state.strange.append(address) }
        }
        guard let response else { throw TransportError(.cannotConnect, message: "No fixture has this address.") }
        return HTTPResponse(status: 200, body: Data(response.text.utf8))
    }
}
