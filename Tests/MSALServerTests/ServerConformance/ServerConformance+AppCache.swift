// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import MSALSupport
import Synchronization
import TestSupport
import Testing

// Token cache of applications: regions.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "host"))
    func `a request goes to the host of its region`(_ testCase: ServerCase) async throws {
        let host = try #require(testCase["authorityHost"]?.string)
        let tenant = try #require(testCase["tenant"]?.string)
        let authority = try Authority.aad(host: host, rawTenant: tenant)
        let variables = testCase["environment"]?.object?.compactMapValues(\.string) ?? [:]
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
            // The environment of the cache is the one that was given: nothing that the address knows replaces it.
            #expect(testCase.expected("cacheEnvironment")?.string == authority.environment)
            #expect(address.audience == (try TokenEndpointAddress(of: authority, flow: .user)).url)
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .appCache, ops: "discover"))
    func `a machine's region is found`(_ testCase: ServerCase) async throws {
        let transport = ScriptedTransport(try (testCase["answers"]?.array ?? []).map(scripted))
        let variables = (testCase["environment"] ?? testCase["variables"])?.object?.compactMapValues(\.string) ?? [:]
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
        if let request = testCase.expected("request")?.object {
            let message = try #require(transport.messages.first)
            let components = try #require(URLComponents(url: message.url, resolvingAgainstBaseURL: false))
            #expect(message.method == request["method"]?.string)
            #expect(message.url.absoluteString.hasPrefix((request["url"]?.string ?? "") + "?"))
            #expect(message.headers == request["headers"]?.object?.compactMapValues(\.string))
            let query = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
            #expect(Dictionary(query) { first, _ in first } == request["query"]?.object?.compactMapValues(\.string))
        }
        if let limit = testCase.expected("waitedAtMost")?.double {
            let waits = transport.messages.map { $0.timeout ?? .seconds(300) }
            #expect(waits.reduce(.zero, +) <= .seconds(limit))
        }
    }

    /// The response that a case describes.
    private func scripted(_ answer: JSONValue) throws -> ScriptedTransport.Response {
        if answer == .string("timeout") { return .failure(.timedOut) }
        if answer == .string("refused") { return .failure(.cannotConnect) }
        let members = try #require(answer.object)
        let headers = members["headers"]?.object?.compactMapValues(\.string) ?? [:]
        let status = members["status"]?.int ?? 200
        return .json(members["json"]?.text ?? members["body"]?.string ?? "", status: status, headers: headers)
    }
}

extension JSONValue {
    /// A number without a fraction.
    fileprivate var int: Int? { double.flatMap { Int(exactly: $0) } }
}
