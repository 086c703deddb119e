// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import EntraEmulator

/// Other machines. They are played by 127.0.0.2, an address of this machine that the emulator does not listen on.
struct ListenAddressTests {
    private static let other = "127.0.0.2"

    /// Whether the emulator and its control API respond at the other address.
    private static func reach(
        _ change: (inout EmulatorConfiguration) -> Void
    ) async throws -> (platform: Bool, control: Bool, warnings: [String]) {
        var result = (platform: false, control: false, warnings: [String]())
        try await Bench.run({
            $0.controlPort = 0
            $0.additionalHosts = [other]
            change(&$0)
        }) { bench in
            let control = try #require(bench.emulator.controlPort)
            result.platform = (try? await bench.get("https://\(other):\(bench.emulator.port)/health"))?.status == 200
            result.control = (try? await bench.get("https://\(other):\(control)/health"))?.status == 200
            result.warnings = bench.emulator.reachabilityWarnings
            let local = try await bench.get("/health")
            #expect(local.status == 200)
        }
        return result
    }

    @Test func `other machines cannot reach an emulator without --listen`() async throws {
        let reached = try await Self.reach { _ in }

        #expect(!reached.platform && !reached.control)
        #expect(reached.warnings.isEmpty)
    }

    @Test func `other machines reach the platform, and the control API only if it is named`() async throws {
        let platform = try await Self.reach { $0.listenAddress = "0.0.0.0" }
        let both = try await Self.reach {
            $0.listenAddress = "0.0.0.0"
            $0.controlListenAddress = "0.0.0.0"
        }
        let one = try await Self.reach { $0.listenAddress = Self.other }

        #expect(platform.platform && !platform.control)
        #expect(platform.warnings.count == 1 && platform.warnings[0].contains("can sign in as any user"))
        #expect(both.platform && both.control)
        #expect(both.warnings.count == 2)
        #expect(one.platform && !one.control)
    }

    @Test(arguments: ["", "localhost", "256.0.0.1", "0.0.0.0:8443", "fe80::1%lo"])
    func `an invalid address is rejected with an explanation`(address: String) async throws {
        for change in [
            { $0.listenAddress = address },
            {
                $0.controlPort = 0
                $0.controlListenAddress = address
            },
        ] as [(inout EmulatorConfiguration) -> Void] {
            let failure = await #expect(throws: Emulator.StartFailure.self) { try await Bench.run(change) { _ in } }
            #expect(failure?.description.hasPrefix("'\(address)' is not an IP address; choose 0.0.0.0") == true)
        }
    }

    @Test func `an address of another machine is rejected with the addresses of this one`() async throws {
        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({ $0.listenAddress = "192.0.2.1" }) { _ in }
        }

        #expect(
            failure?.description.hasPrefix("192.0.2.1 is not an address of this machine; choose one of 0.0.0.0") == true
        )
    }

    @Test func `the certificate contains the machine's names for others`() throws {
        let names = try #require(BindAddress("10.0.0.7")).certificateNames
        let all = try #require(BindAddress("::")).certificateNames

        #expect(names.first == "10.0.0.7")
        #expect(names.dropFirst() == MachineNames.hostNames[...])
        #expect(all == MachineNames.addresses(includingIPv6: true) + MachineNames.hostNames)
        #expect(!all.contains { $0.hasPrefix("127.") || $0 == "::1" || $0.hasPrefix("fe80:") })
        #expect(BindAddress("127.0.0.1")?.certificateNames.isEmpty == true)
    }
}
