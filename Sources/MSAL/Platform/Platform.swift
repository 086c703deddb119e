// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore
package import MSALSupport

/// Everything the core asks of the machine it runs on: network, browser, clock, randomness, environment.
package struct Platform: Sendable {
    package var transport: any HTTPTransport
    package var agent: any AuthorizationAgent
    package var time: any TimeSource
    /// Returns that many bytes nobody can guess.
    package var random: @Sendable (_ count: Int) -> [UInt8]
    package var environment: [String: String]
    /// The key of proof-of-possession tokens; one in memory by default, for this machine alone.
    package var proofKeys: any ProofKeys = ProofKeyMemory()

    package init(
        transport: any HTTPTransport,
        agent: any AuthorizationAgent,
        time: any TimeSource,
        random: @escaping @Sendable (_ count: Int) -> [UInt8] = Platform.systemRandom,
        environment: [String: String] = [:]
    ) {
        self.transport = transport
        self.agent = agent
        self.time = time
        self.random = random
        self.environment = environment
    }

    /// Random bytes from the kernel's generator.
    package static let systemRandom: @Sendable (_ count: Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
