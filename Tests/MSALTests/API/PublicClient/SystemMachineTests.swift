// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Testing

/// What applications use that are created from a configuration only. Nothing is read or written before a request.
struct SystemMachineTests {
    @Test func `an application keeps its proof key next to its store`() throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")

        let application = try MSALPublicClientApplication(configuration: configuration)

        let platform = try application.client().platform
        #expect(platform.proofKeys is ProofKeyFile)
    }

    @Test func `an application for native authentication keeps its proof key next to its store`() throws {
        let configuration = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "client",
            tenantSubdomain: "contoso",
            challengeTypes: [.OOB]
        )

        let application = try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)

        let platform = try application.client().platform
        #expect(platform.proofKeys is ProofKeyFile)
    }

    @Test func `applications with the same route to the service share what they know of it`() throws {
        let first = MSALPublicClientApplicationConfig(clientId: "client")
        let second = MSALPublicClientApplicationConfig(clientId: "other")
        let elsewhere = MSALPublicClientApplicationConfig(clientId: "client")
        elsewhere.caFile = URL(filePath: "/etc/private-ca.pem")
        let direct = MSALPublicClientApplicationConfig(clientId: "client")
        direct.proxy = .none
        let impatient = MSALPublicClientApplicationConfig(clientId: "client")
        impatient.retryPolicy = .none

        let machines = try [first, second, elsewhere, direct, impatient].map { try SystemMachine(for: $0) }

        #expect(machines[0].service === machines[1].service)
        for other in machines.dropFirst(2) { #expect(machines[0].service !== other.service) }
    }

    @Test func `applications on one session bus share a connection, opened by the first call`() async throws {
        let bus = try FakeBus(names: ["com.microsoft.identity.broker1"]) { _ in [] }
        let nowhere = SystemMachine.platform(caFile: nil, [:])

        let platforms = [
            SystemMachine.platform(caFile: nil, bus.environment), SystemMachine.platform(caFile: nil, bus.environment),
        ]

        #expect(bus.state.questions.isEmpty)
        for platform in platforms { #expect(await platform.broker.availability().isPresent) }
        #expect(bus.state.questions.count { $0 == "Hello" } == 1)
        #expect(await !nowhere.broker.availability().isPresent)
    }

    @Test func `the app's own cache replaces the store`() throws {
        let cache = MSALSerializedCacheProvider(delegate: NoText())
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        configuration.cacheConfig.serializedCache = cache

        let machine = try SystemMachine(for: configuration, environment: ["MSAL_STORE_KEY": "nowhere"])

        #expect(machine.store as AnyObject === cache.store)
    }
}

/// A cache that is always empty.
private final class NoText: NSObject, MSALSerializedCacheProviderDelegate {
    func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {}
    func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {}
}
