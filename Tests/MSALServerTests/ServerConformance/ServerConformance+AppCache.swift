// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Token cache of applications: keys, lookups, refresh ahead of time, regions.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "ext-key"))
    func `extra parameters of an application have one hash`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let components = testCase.input.named("components")

        #expect(CacheKeyComponents.hash(of: components) == testCase.expected("key")?.string)
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "partition-key"))
    func `a partition has the name that other libraries use`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let expected = testCase.expected("key")?.string
        // Only the names of an application's partitions have them.
        testCase.input.passOver("clientId", "tenant")

        switch try #require(testCase["kind"]?.string) {
        case "app":
            let components = testCase.input.named("components")
            let name = CachePartitionName.application(
                clientID: try #require(testCase["clientId"]?.string),
                tenant: try #require(testCase["tenant"]?.string),
                keyID: testCase["keyId"]?.string,
                components: CacheKeyComponents.hash(of: components)
            )
            #expect(name == expected)
        case "onBehalfOf":
            let assertion = Secret(try #require(testCase["userAssertion"]?.string))
            #expect(CachePartitionName.onBehalfOf(assertion, sessionKey: testCase["sessionKey"]?.string) == expected)
        case "managedIdentity":
            #expect(CachePartitionName.managedIdentity(testCase["identity"]?.string) == expected)
        case "user":
            #expect(CachePartitionName.user(try #require(testCase["homeAccountId"]?.string)) == expected)
        case let kind:
            Issue.record("No test supports partitions of the kind \(kind).")
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "lookup"))
    func `a query finds the permitted tokens`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let query = AppCacheQuery(try #require(testCase.input.object("query")))
        for entry in testCase.input.objects("entries") { try query.keep(entry) }

        #expect(try await query.found() == testCase.expected("token")?.string)
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "app-steps"))
    func `steps on one clock`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let steps = testCase.input.objects("steps")
        let outcomes = testCase.output.objects("steps")
        try #require(steps.count == outcomes.count)
        let replay = try AppCacheReplay(testCase)

        for (step, outcome) in zip(steps, outcomes) { try await replay.take(step, expecting: outcome) }

        replay.end()
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "host"))
    func `a request is sent to the host of its region`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let host = try #require(testCase["authorityHost"]?.string)
        let tenant = try #require(testCase["tenant"]?.string)
        let authority = try Authority.aad(host: host, rawTenant: tenant)
        let variables = testCase.input.named("environment")
        let discovery = RegionDiscovery(environment: .double(variables: variables))
        let setting = testCase["region"]?.string.map(MSALRegion.init(word:)) ?? .none
        let isForApplication = ["clientCredentials", "app", nil].contains(testCase["flow"]?.string)

        do throws(MSALTokenError) {
            let region = try await discovery.region(for: setting)
            let address = try TokenEndpointAddress(
                of: authority,
                region: region,
                isMutualTLS: testCase["mtls"] == .bool(true),
                flow: isForApplication ? .clientCredentials : .user
            )
            #expect(testCase.expected("error") == nil)
            #expect(address.url.host() == testCase.expected("host")?.string)
            // The environment of the cache is the configured one, not one derived from the URL.
            #expect(testCase.expected("cacheEnvironment")?.string == authority.environment)
            #expect(address.audience == (try TokenEndpointAddress(of: authority, flow: .user)).url)
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "discover"))
    func `a machine's region is found`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let answers = testCase["answers"]?.array ?? []
        let transport = ScriptedTransport(try answers.map { try CaseAnswer($0).response() })
        let variables = testCase.input.named("environment")
        let discovery = RegionDiscovery(environment: .double(variables: variables, metadataTransport: transport))

        for _ in 0..<(testCase["asks"]?.int ?? 1) {
            let found = try await withThrowingTaskGroup(of: RegionName?.self) { group in
                for _ in 0..<(testCase["callers"]?.int ?? 1) {
                    group.addTask { try await discovery.region(for: .autoDetect) }
                }
                return try await group.reduce(into: Set<RegionName?>()) { $0.insert($1) }
            }
            #expect(found.map { $0?.description } == [testCase.expected("region")?.string])
        }

        #expect(transport.messages.count == testCase.expected("requests")?.int ?? transport.messages.count)
        if let request = testCase.output.object("request") {
            let message = try #require(transport.messages.first)
            let components = try #require(URLComponents(url: message.url, resolvingAgainstBaseURL: false))
            #expect(message.method == request["method"]?.string)
            #expect(message.url.absoluteString.hasPrefix((request["url"]?.string ?? "") + "?"))
            #expect(message.headers == request.named("headers"))
            let query = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
            #expect(Dictionary(query) { first, _ in first } == request.named("query"))
        }
        if let limit = testCase.expected("waitedAtMost")?.double {
            let waits = transport.messages.map { $0.timeout ?? .seconds(300) }
            #expect(waits.reduce(.zero, +) <= .seconds(limit))
        }
    }
}
