// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

extension ProtocolConformance {
    @Test(arguments: ConformanceFolder.shared.cases(of: .authorities))
    func authorities(_ testCase: ConformanceCase) async throws {
        let runner = AuthorityRunner(testCase: testCase)
        do throws(AuthorityError) {
            switch testCase.op {
            case "parse": try runner.parse()
            case "build": try runner.build()
            case "known": try runner.known()
            case "metadata": try runner.metadata()
            case "discover": try await runner.discover()
            case "issuer": try runner.issuer()
            case "cloud-host": try runner.cloudHost()
            case "silent-authority": try runner.silentAuthority()
            default: failForUnknownOp(testCase)
            }
            #expect(testCase.expected("error") == nil, "an error was expected")
        } catch {
            runner.check(error)
        }
    }
}

private struct AuthorityRunner {
    let testCase: ConformanceCase

    func parse() throws(AuthorityError) {
        let authority = try authority(
            text("url"),
            entry: testCase["entry"]?.string ?? "",
            strict: testCase["strict"]?.bool ?? false,
            rawTenant: testCase["rawTenant"]?.string
        )
        check("type", authority.kind.rawValue)
        check("url", authority.url.absoluteString)
        check("environment", authority.environment)
        check("realm", authority.realm)
        check("tenantKind", authority.tenantKind.rawValue)
        check("universalUrl", authority.universal.url.absoluteString)
    }

    func build() throws(AuthorityError) {
        let audiences: [String: AADAudience] = [
            "common": .organizationsAndPersonal,
            "organizations": .organizations,
            "consumers": .personal,
            "myorg": .myOrganization,
        ]
        guard let audience = audiences[text("audience")] else {
            Issue.record("The audience \(text("audience")) is not supported by the runner.")
            return
        }
        let host = AzureCloud(rawValue: text("cloud"))?.host
        let authority = try Authority.aad(host: host, audience: audience, rawTenant: testCase["rawTenant"]?.string)
        check("url", authority.url.absoluteString)
    }

    func known() throws(AuthorityError) {
        var policy = AuthorityPolicy()
        for url in strings("knownAuthorities") { policy.developerKnown.append(try guess(url)) }
        var known: [JSONValue] = []
        for url in strings("urls") { known.append(.bool(policy.isKnown(try guess(url)))) }
        #expect(testCase.expected("known") == .array(known))
    }

    func metadata() throws(AuthorityError) {
        let authority = try authority(text("authority"), entry: testCase["entry"]?.string ?? "MSALAADAuthority")
        let cloud: CloudMetadata
        if testCase["embedded"]?.bool == true {
            cloud =
                KnownClouds.metadata(for: authority.environment)
                ?? CloudMetadata(selfRecordOf: authority.environment)
        } else {
            let clouds = try CloudMetadata.parse(testCase["metadata"])
            cloud = CloudMetadata.record(for: authority.environment, in: clouds)
        }
        check("networkUrl", cloud.network(of: authority).url.absoluteString)
        check("cacheUrl", cloud.cache(of: authority).url.absoluteString)
        guard let expected = testCase.expected("lookupEnvironments") else { return }
        #expect(expected == .array(cloud.lookupEnvironments(for: authority.environment).map(JSONValue.string)))
    }

    func discover() async throws(AuthorityError) {
        let authority = try authority(text("authority"), entry: testCase["entry"]?.string ?? "MSALAADAuthority")
        let transport = QueuedTransport(testCase["answers"]?.array ?? [])
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        var policy = AuthorityPolicy(isValidationEnabled: testCase["validate"]?.bool ?? true)
        for url in strings("knownAuthorities") { policy.developerKnown.append(try guess(url)) }
        defer { check(transport.requests) }
        var failure: AuthorityError?
        for _ in 0..<Int(testCase["repeat"]?.double ?? 1) {
            do throws(AuthorityError) {
                let discovery = try await resolver.discover(authority, policy: policy, correlationID: UUID())
                #expect(testCase.expected("error") == nil, "every attempt has to fail")
                let isValidated = policy.validates(authority)
                #expect(testCase.expected("validated")?.bool ?? isValidated == isValidated)
                check("openIdConfiguration", discovery.openIDConfigurationURL.absoluteString)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    func issuer() throws(AuthorityError) {
        let entries = [
            "b2c": "MSALB2CAuthority", "ciam": "MSALCIAMAuthority", "oidc": "core-oidc", "adfs": "core-adfs",
        ]
        let authority = try authority(
            text("authority"),
            entry: entries[testCase["type"]?.string ?? ""] ?? "MSALAADAuthority"
        )
        let isAccepted = issuerIsAccepted(text("issuer"), for: authority, aliases: strings("aliases"))
        #expect(testCase.expected("accepted") == .bool(isAccepted))
    }

    func cloudHost() throws(AuthorityError) {
        let authority = try guess(text("authority"))
        let networks = Set(strings("discoveredNetworks"))
        let cloud = authority.applyingCloudHost(text("cloudInstanceHostName"), discoveredNetworks: networks)
        check("authority", cloud.url.absoluteString)
    }

    func silentAuthority() throws(AuthorityError) {
        var requested: Authority?
        if let url = testCase["requestAuthority"]?.string { requested = try guess(url) }
        let base = try guess(text("configAuthority")).overridden(by: requested)
        let map = testCase["map"]?.object?.compactMapValues { $0.string.flatMap { URL(string: $0) } } ?? [:]
        let authority = base.silentAuthority(accountTenantID: testCase["accountTenantId"]?.string, map: map)
        check("url", authority.url.absoluteString)
    }

    /// Compares an error with `out.error`.
    func check(_ error: AuthorityError) {
        guard let expected = testCase.expected("error")?.object else {
            Issue.record("No error was expected, but: \(error.message)")
            return
        }
        let actual: (code: Double?, internalCode: Double?) =
            switch error.kind {
            case .invalidParameter: (-50000, -42000)
            case .unexpected: (-50000, -42008)
            case .validationFailed: (-50000, -42010)
            case .invalidResponse: (-50000, -42600)
            case .http: (-50000, -42007)
            case .transport(let cause): (cause.urlErrorCode.map(Double.init), nil)
            }
        #expect(expected["code"]?.double == actual.code)
        if let code = expected["internal"]?.double { #expect(code == actual.internalCode) }
        if let part = expected["contains"]?.string { #expect(error.message.contains(part)) }
    }

    private func authority(
        _ text: String,
        entry: String,
        strict: Bool = false,
        rawTenant: String? = nil
    ) throws(AuthorityError) -> Authority {
        let url = try Authority.url(text)
        switch entry {
        case "MSALAADAuthority", "core-aad": return try .aad(url, rawTenant: rawTenant)
        case "MSALB2CAuthority", "core-b2c": return try .b2c(url, strict: strict, rawTenant: rawTenant)
        case "MSALCIAMAuthority", "core-ciam": return try .ciam(url, strict: strict, rawTenant: rawTenant)
        case "MSALAuthority": return try .guess(url)
        case "MSALADFSAuthority": throw AuthorityError(.unexpected, message: "AD FS is not served.")
        case "core-adfs": return try .adfs(url)
        case "core-oidc": return try .oidc(url)
        case "core": return try .stored(url)
        default: throw AuthorityError(.unexpected, message: "The runner does not support the entry \(entry).")
        }
    }

    private func guess(_ text: String) throws(AuthorityError) -> Authority {
        try .guess(try Authority.url(text))
    }

    private func text(_ name: String) -> String { testCase[name]?.string ?? "" }

    private func strings(_ name: String) -> [String] { testCase[name]?.array?.compactMap(\.string) ?? [] }

    /// Compares with an expected text, if there is one.
    private func check(_ name: String, _ actual: String?) {
        guard let expected = testCase.expected(name) else { return }
        #expect(expected == actual.map(JSONValue.string) ?? .null, "\(name)")
    }

    /// Compares the requests of instance discovery; the order of query parameters is free.
    private func check(_ requests: [URL]) {
        guard let expected = testCase.expected("requests")?.array else { return }
        let normalised = { (text: String) in
            let parts = text.split(separator: "?", maxSplits: 1)
            let parameters = parts.last?.split(separator: "&").map(String.init).sorted() ?? []
            return [parts.first.map(String.init) ?? ""] + parameters
        }
        let asked = requests.filter { $0.path().hasSuffix("/discovery/instance") }
        #expect(asked.map { normalised($0.absoluteString) } == expected.compactMap(\.string).map(normalised))
    }
}

/// Responses in the order of a case's `answers`. After them, the network fails.
private final class QueuedTransport: HTTPTransport {
    private let state: Mutex<(responses: [JSONValue], requests: [URL])>

    init(_ responses: [JSONValue]) {
        state = Mutex((responses, []))
    }

    var requests: [URL] { state.withLock { $0.requests } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let response = state.withLock { state -> JSONValue? in
            state.requests.append(message.url)
            return state.responses.isEmpty ? nil : state.responses.removeFirst()
        }
        guard let members = response?.object, let status = members["status"]?.double else {
            let code = response?.object?["networkError"]?.double.map { Int($0) } ?? -1009
            let kinds: [TransportError.Kind] = [
                .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badURL,
                .untrustedCertificate, .certificateExpired, .tlsHandshake,
            ]
            let error = kinds.map { TransportError($0, message: "scripted") }.first { $0.urlErrorCode == code }
            throw error ?? TransportError(.offline, message: "scripted")
        }
        let body = members["json"].map { Data($0.text.utf8) } ?? Data((members["body"]?.string ?? "").utf8)
        return HTTPResponse(status: Int(status), headers: [:], body: body)
    }
}
