// Licensed under the MIT License. See LICENSE.

import Foundation

/// Everything the core asks of the machine it runs on: network, browser, clock, randomness, environment.
package struct Platform: Sendable {
    package var transport: any HTTPTransport
    package var agent: any AuthorizationAgent
    package var time: any TimeSource
    /// Returns that many bytes nobody can guess.
    package var random: @Sendable (_ count: Int) -> [UInt8]
    package var environment: [String: String]
    /// The key of proof-of-possession tokens; one for the process by default.
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

    /// The machine as it is: HTTPS with retries, the desktop's browser, the system's clock and generator.
    ///
    /// `http`: The app's CA file and the environment, which the browser is chosen by as well.
    /// `retry`: Asked at each request.
    package static func system(
        _ http: HTTPSettings = HTTPSettings(),
        retry: @escaping @Sendable () -> RetrySettings = { RetrySettings() }
    ) -> Platform {
        let time = SystemTime()
        return Platform(
            transport: RetryingTransport(base: AsyncHTTPClientTransport(http), settings: retry, time: time),
            agent: SystemBrowserAgent(environment: http.environment, time: time),
            time: time,
            environment: http.environment
        )
    }

    /// Random bytes from the kernel's generator.
    package static let systemRandom: @Sendable (_ count: Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
