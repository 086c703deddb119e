// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALCore

struct AuthorityResolverTests {
    private let unknown = "https://sign-in.example/contoso"

    @Test func `a trusted authority is resolved by two requests, and only once`() async throws {
        let transport = ScriptedTransport(
            .json(Documents.discovery, to: "/common/discovery/instance"),
            .configuration()
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime()) {
            ClientHeaders(applicationName: "a").headers(correlationID: $0)
        }

        let first = try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())
        let second = try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())

        #expect(first.cacheEnvironment == "login.windows.net")
        #expect(first.lookupEnvironments == ["login.windows.net", "login.microsoftonline.com", "sts.windows.net"])
        #expect(first.tokenEndpoint == second.tokenEndpoint)
        #expect(resolver.discoveredNetworks == ["login.microsoftonline.com"])
        let headers = try #require(transport.messages.first?.headers)
        #expect(headers["Accept"] == "application/json" && headers["x-app-name"] == "a")
        #expect(headers["client-request-id"] != nil && headers["return-client-request-id"] == "true")
        try transport.verify()
    }

    @Test func `endpoints move to the preferred host and keep their query`() async throws {
        let document = Documents.document(host: "login.windows.net", query: "?p=1")
        let transport = ScriptedTransport(
            .json(Documents.discovery, to: "/common/discovery/instance"),
            .json(document, to: "https://login.microsoftonline.com/t/v2.0")
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        let authority = try Authority.aad(Authority.url("https://login.windows.net/t"))

        let resolved = try await resolver.resolve(authority, policy: AuthorityPolicy(), correlationID: UUID())

        #expect(resolved.authority == authority)
        #expect(resolved.tokenEndpoint.absoluteString == "https://login.microsoftonline.com/token?p=1")
        try transport.verify()
    }

    @Test func `concurrent callers share one request, and a canceled one does not affect the others`() async throws {
        let gate = Gate()
        let transport = ScriptedTransport([
            .init("discovery") { _ throws(TransportError) in
                await gate.pass()
                return HTTPResponse(status: 200, body: Data(Documents.discovery.utf8))
            },
            .configuration(),
        ])
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        let resolve: @Sendable () async throws -> ResolvedAuthority = {
            try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())
        }
        // At once, so that all callers have joined before one leaves.
        let impatient = Task.immediate { try await resolve() }
        let patient = (0..<5).map { _ in Task.immediate { try await resolve() } }
        await gate.untilSomebodyWaits()

        impatient.cancel()
        let outcome = await impatient.result
        gate.open()

        for task in patient { _ = try await task.value }
        #expect(throws: AuthorityError.self) { try outcome.get() }
        try transport.verify()
    }

    @Test func `the embedded table is used if a trusted host does not respond`() async throws {
        let transport = ScriptedTransport(.failure(.timedOut, to: "/common/discovery/instance"), .configuration())
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        let resolved = try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())

        #expect(resolved.cacheEnvironment == "login.windows.net")
        #expect(transport.messages.first?.timeout == .seconds(10))
        #expect(transport.messages.first?.repetition == .never)
        #expect(resolver.discoveredNetworks == [])
    }

    @Test func `validation makes no request for a trusted host, and one to the service for another`() async throws {
        let transport = ScriptedTransport(
            .json(Documents.rejection, status: 400, to: "https://login.microsoftonline.com/common/discovery")
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        try await resolver.validate(.default, policy: AuthorityPolicy(), correlationID: UUID())
        #expect(transport.messages.isEmpty)

        for _ in 0..<2 {
            let kind = await kind(of: { () async throws(AuthorityError) in
                try await resolver.validate(aad(unknown), policy: AuthorityPolicy(), correlationID: UUID())
            })
            #expect(kind == "validationFailed")
        }
        try transport.verify()
    }

    @Test func `a failure of instance discovery names the called host and the host in question`() async throws {
        let transport = ScriptedTransport(.failure(.cannotFindHost))
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        let error = await #expect(throws: AuthorityError.self) {
            try await resolver.validate(aad(unknown), policy: AuthorityPolicy(), correlationID: UUID())
        }

        let message = try #require(error?.message)
        #expect(message.contains("login.microsoftonline.com about \(try aad(unknown).environment)"))
        #expect(message.contains("known authority"))
        #expect(AuthError(try #require(error)).nsError.localizedDescription == message)
        #expect(AuthError(try #require(error)).nsError.code == -1003)
    }

    @Test func `a page instead of JSON is reported as a possible sign-in portal of the network`() async throws {
        let page = "<html>Welcome to the hotel</html>"
        let resolver = AuthorityResolver(transport: ScriptedTransport(.json(page)), time: ManualTime())

        let discovery = await #expect(throws: AuthorityError.self) {
            try await resolver.validate(aad(unknown), policy: AuthorityPolicy(), correlationID: UUID())
        }
        let metadata = #expect(throws: AuthorityError.self) { try OpenIDConfiguration(parsing: Data(page.utf8)) }
        let keys = #expect(throws: AuthorityError.self) { try JSONWebKey.set(parsing: Data(page.utf8)) }

        for error in [discovery, metadata, keys] {
            let message = try #require(error?.message)
            #expect(message.contains("not a JSON object") && message.contains("sign-in portal"))
        }
    }

    @Test(arguments: [TransportError.Kind.cannotFindHost, .timedOut])
    func `an unknown host that cannot be confirmed is an error`(_ failure: TransportError.Kind) async throws {
        let transport = ScriptedTransport(.failure(failure))
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        let kind = await kind(of: { () async throws(AuthorityError) in
            try await resolver.validate(aad(unknown), policy: AuthorityPolicy(), correlationID: UUID())
        })

        #expect(kind == "transport \(failure)")
    }

    @Test(arguments: [
        (#"{"metadata":[]}"#, "invalidResponse"),
        (#"{"tenant_discovery_endpoint":1}"#, "invalidResponse"),
        (#"{"tenant_discovery_endpoint":"x","metadata":{}}"#, "invalidResponse"),
        (#"{"tenant_discovery_endpoint":"x","metadata":[{"preferred_network":"a/b"}]}"#, "invalidResponse"),
        ("<html>", "invalidResponse"),
    ])
    func `a malformed response is an error even without validation`(_ body: String, _ expected: String) async throws {
        let resolver = AuthorityResolver(transport: ScriptedTransport(.json(body)), time: ManualTime())
        let policy = AuthorityPolicy(isValidationEnabled: false)

        let kind = await kind(of: { () async throws(AuthorityError) in
            _ = try await resolver.discover(aad(unknown), policy: policy, correlationID: UUID())
        })

        #expect(kind == expected)
    }

    @Test(arguments: [
        "https://sign-in.example/contoso", "https://127.0.0.1:8443/contoso", "https://[::1]:8443/contoso",
    ])
    func `a known authority contacts its own host only and ignores failures`(_ text: String) async throws {
        let authority = try Authority.aad(Authority.url(text))
        let host = authority.environment
        let policy = AuthorityPolicy(developerKnown: host.hasPrefix("sign-in") ? [authority] : [])
        for failure in [
            ScriptedTransport.Response.failure(.cannotConnect, to: "discovery/instance"),
            .json("<html>", to: "discovery/instance"),
            .json("{}", status: 404, to: "discovery/instance"),
            .json(Documents.rejection, status: 400, to: "discovery/instance"),
        ] {
            let transport = ScriptedTransport(failure, .json(Documents.document(host: host), to: "/.well-known/"))
            let resolver = AuthorityResolver(transport: transport, time: ManualTime())

            let resolved = try await resolver.resolve(authority, policy: policy, correlationID: UUID())

            #expect(resolved.lookupEnvironments == [host])
            #expect(transport.messages.allSatisfy { AuthorityAddress($0.url)?.environment == host })
            try transport.verify()
        }
    }

    @Test func `without instance discovery only the authority's own host is contacted`() async throws {
        let policy = AuthorityPolicy(isInstanceDiscoveryEnabled: false)
        for text in [unknown, "https://login.windows.net/contoso", "https://127.0.0.1:8443/contoso"] {
            let authority = try Authority.aad(Authority.url(text))
            let transport = ScriptedTransport(.json(Documents.document(host: authority.environment)))
            let resolver = AuthorityResolver(transport: transport, time: ManualTime())

            try await resolver.validate(authority, policy: policy, correlationID: UUID())
            let resolved = try await resolver.resolve(authority, policy: policy, correlationID: UUID())

            #expect(resolved.tokenEndpoint.absoluteString == "https://\(authority.environment)/token")
            #expect(transport.messages.map(\.url) == [authority.openIDConfigurationURL])
        }
    }

    @Test func `a host that only the app vouches for cannot claim the names of a trusted host`() async throws {
        let metadata = """
            {"tenant_discovery_endpoint":"x","metadata":[{"preferred_network":"sign-in.example",
             "preferred_cache":"sign-in.example","aliases":["sign-in.example","login.microsoftonline.com"]}]}
            """
        let authority = try Authority.aad(Authority.url(unknown))
        let transport = ScriptedTransport(.json(metadata))
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        _ = try await resolver.discover(
            authority,
            policy: AuthorityPolicy(developerKnown: [authority]),
            correlationID: UUID()
        )

        #expect(resolver.environments(for: authority).lookup == ["sign-in.example"])
        #expect(resolver.environments(for: .default).cache == "login.windows.net")
        #expect(resolver.discoveredNetworks == [])
    }

    @Test func `a host that one app vouches for is not confirmed for another app`() async throws {
        let authority = try Authority.aad(Authority.url(unknown))
        let transport = ScriptedTransport(
            .json(#"{"tenant_discovery_endpoint":"x"}"#, to: "https://sign-in.example/common/discovery"),
            .json(Documents.rejection, status: 400, to: "https://login.microsoftonline.com/common/discovery")
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        let vouching = AuthorityPolicy(developerKnown: [authority])

        _ = try await resolver.discover(authority, policy: vouching, correlationID: UUID())
        let kind = await kind(of: { () async throws(AuthorityError) in
            _ = try await resolver.discover(aad(unknown), policy: AuthorityPolicy(), correlationID: UUID())
        })

        #expect(kind == "validationFailed")
        try transport.verify()
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_tenant","error_description":"AADSTS90002"}"#, "validationFailed"),
        (404, "", "validationFailed"),
        (503, "", "http 503"),
        (302, "", "http 302"),
        (200, "<html>", "invalidResponse"),
        (200, Documents.document(host: "evil.example"), "validationFailed"),
    ])
    func `metadata that cannot be used are an error and not cached`(
        _ status: Int,
        _ body: String,
        _ expected: String
    ) async throws {
        let transport = ScriptedTransport(
            .json(Documents.discovery, to: "discovery/instance"),
            .json(body, status: status, to: "/.well-known/"),
            .configuration()
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())

        let kind = await kind(of: { () async throws(AuthorityError) in
            _ = try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())
        })
        _ = try await resolver.resolve(.default, policy: AuthorityPolicy(), correlationID: UUID())

        #expect(kind == expected)
        try transport.verify()
    }

    @Test func `keys are cached for a day, and refetched for a missing one at most every five minutes`() async throws {
        let time = ManualTime()
        let sets = ["a", "b", "c", "d"].map { kid in
            ScriptedTransport.Response.json(Documents.keys(kid))
        }
        let transport = ScriptedTransport(sets)
        let resolver = AuthorityResolver(transport: transport, time: time)
        let document = Data(Documents.document(host: "sign-in.example").utf8)
        let configuration = try OpenIDConfiguration(parsing: document)
        let uri = try #require(configuration.jwksURI)
        let ask = { (kid: String?) in
            try await resolver.keys(for: configuration, keyID: kid, correlationID: UUID()).compactMap(\.kid)
        }

        #expect(resolver.heldKeys(jwksURI: uri) == nil)
        #expect(try await ask("x") == ["a"])
        #expect(try await ask(nil) == ["a"])
        #expect(try await ask("b") == ["b"])
        #expect(try await ask("c") == ["b"])
        time.advance(by: .seconds(301))
        #expect(try await ask("c") == ["c"])
        time.advance(by: .seconds(24 * 60 * 60 + 1))
        #expect(try await ask("c") == ["d"])
        #expect(resolver.heldKeys(jwksURI: uri)?.compactMap(\.kid) == ["d"])
        try transport.verify()
    }

    @Test func `a failed attempt to find a missing key counts, and leaves open whether the key exists`() async throws {
        let transport = ScriptedTransport(.json(Documents.keys("a")), .failure(.timedOut))
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        let configuration = try OpenIDConfiguration(parsing: Data(Documents.document(host: "sign-in.example").utf8))
        _ = try await resolver.keys(for: configuration, keyID: "a", correlationID: UUID())

        for _ in 0..<2 {
            await #expect(throws: AuthorityError.self) {
                try await resolver.keys(for: configuration, keyID: "b", correlationID: UUID())
            }
        }

        #expect(try await resolver.keys(for: configuration, keyID: "a", correlationID: UUID()).map(\.kid) == ["a"])
        try transport.verify()
    }

    @Test func `a canceled lookup of a missing key does not count`() async throws {
        let gate = ManualTime()
        let transport = ScriptedTransport(
            .json(Documents.keys("a")),
            ScriptedTransport.Response("slow keys") { _ throws(TransportError) in
                try? await gate.sleep(for: .seconds(1))
                throw TransportError(.canceled, message: "As the script says.")
            },
            .json(Documents.keys("b"))
        )
        let resolver = AuthorityResolver(transport: transport, time: ManualTime())
        let configuration = try OpenIDConfiguration(parsing: Data(Documents.document(host: "sign-in.example").utf8))
        _ = try await resolver.keys(for: configuration, keyID: "a", correlationID: UUID())
        let impatient = Task {
            _ = try await resolver.keys(for: configuration, keyID: "b", correlationID: UUID())
        }
        await gate.untilSomebodySleeps()

        impatient.cancel()

        await #expect(throws: AuthorityError.self) { try await impatient.value }
        #expect(try await resolver.keys(for: configuration, keyID: "b", correlationID: UUID()).map(\.kid) == ["b"])
    }

    private func aad(_ text: String) throws(AuthorityError) -> Authority {
        try .aad(try Authority.url(text))
    }

    /// The name of the error that `work` throws, or `nil`.
    private func kind(of work: () async throws(AuthorityError) -> Void) async -> String? {
        do throws(AuthorityError) {
            try await work()
            return nil
        } catch {
            return switch error.kind {
            case .invalidParameter: "invalidParameter"
            case .unexpected: "unexpected"
            case .validationFailed: "validationFailed"
            case .invalidResponse: "invalidResponse"
            case .http(let status, _): "http \(status)"
            case .transport(let cause): "transport \(cause.kind)"
            }
        }
    }
}

private enum Documents {
    static let rejection = #"{"error":"invalid_instance"}"#
    static let discovery = """
        {"tenant_discovery_endpoint":"x","metadata":[{"preferred_network":"login.microsoftonline.com",
         "preferred_cache":"login.windows.net",
         "aliases":["login.microsoftonline.com","login.windows.net","sts.windows.net"]}]}
        """

    /// A set of one key: the base point of P-256.
    static func keys(_ kid: String) -> String {
        """
        {"keys":[{"kty":"EC","crv":"P-256","kid":"\(kid)","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
         "y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}]}
        """
    }

    static func document(host: String, query: String = "") -> String {
        """
        {"issuer":"https://\(host)/{tenantid}/v2.0","authorization_endpoint":"https://\(host)/authorize\(query)",
         "token_endpoint":"https://\(host)/token\(query)","jwks_uri":"https://\(host)/keys"}
        """
    }
}

extension ScriptedTransport.Response {
    fileprivate static func configuration() -> Self {
        .json(Documents.document(host: "login.microsoftonline.com"), to: "/.well-known/openid-configuration")
    }
}

/// Holds one caller until it is opened.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var visitor: CheckedContinuation<Void, Never>?
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (mayPass, watcher) = state.withLock { state in
                if !state.isOpen { state.visitor = continuation }
                defer { state.watcher = nil }
                return (state.isOpen, state.watcher)
            }
            watcher?.resume()
            if mayPass { continuation.resume() }
        }
    }

    func untilSomebodyWaits() async {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                if state.visitor == nil { state.watcher = continuation }
                return state.visitor != nil
            }
            if isWaiting { continuation.resume() }
        }
    }

    func open() {
        let visitor = state.withLock { state in
            state.isOpen = true
            defer { state.visitor = nil }
            return state.visitor
        }
        visitor?.resume()
    }
}
