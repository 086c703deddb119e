// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
package import MSALCore

/// The core's view of its machine: network, browser, clock, randomness and environment.
package struct Platform: Sendable {
    package var transport: any HTTPTransport
    package var agent: any AuthorizationAgent
    var time: any TimeSource
    /// Returns `count` cryptographically random bytes.
    var random: @Sendable (_ count: Int) -> [UInt8]
    var environment: [String: String]
    /// Keeps the key of proof-of-possession tokens. By default it is in memory only.
    package var proofKeys: any ProofKeys = ProofKeyMemory()
    /// The identity broker of the machine. By default there is none.
    package var broker: any IdentityBroker = NoBroker()

    package init(
        transport: any HTTPTransport,
        agent: any AuthorizationAgent,
        time: any TimeSource,
        random: @escaping @Sendable (_ count: Int) -> [UInt8] = [UInt8].random,
        environment: [String: String] = [:]
    ) {
        self.transport = transport
        self.agent = agent
        self.time = time
        self.random = random
        self.environment = environment
    }
}
