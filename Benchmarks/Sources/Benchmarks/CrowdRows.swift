// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Many tasks that ask at the same time.
struct CrowdRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("64 tasks at once; hits of random accounts")
        for location in Location.allCases {
            for accounts in bench.sizes([1, 1000]) {
                let application = try await bench.application(location, accounts)
                for parameters in try application.allSilentParameters(of: accounts) {
                    _ = try await application.acquireTokenSilent(with: parameters)
                }
                // The best of some rounds: what else runs on the machine takes from both.
                var (alone, crowd) = (0.0, 0.0)
                for _ in 0..<7 {
                    alone = max(alone, try await Self.rate(application, accounts, tasks: 1))
                    crowd = max(crowd, try await Self.rate(application, accounts, tasks: 64))
                }
                let name = location == .store ? "over the store" : "in memory"
                bench.table.row("\(name), hits a second of one task", at: accounts, value: alone, unit: .ratio)
                bench.table.row(
                    "\(name), of 64 tasks, in times of that",
                    at: accounts,
                    value: crowd / alone,
                    unit: .ratio,
                    limit: Limit(what: "\(ProcessInfo.processInfo.activeProcessorCount) processors", value: nil),
                    target: location == .store ? 1.6 : nil,
                    isFloor: true
                )
            }
        }
    }

    private static func rate(
        _ application: MSALPublicClientApplication,
        _ accounts: Int,
        tasks: Int
    ) async throws -> Double {
        let calls = 32_000 / tasks
        var dice = Dice()
        // One task asks for as many accounts as all of 64 do.
        let shares = try (0..<tasks).map { _ in
            let numbers = (0..<1280 / tasks).map { _ in dice.roll(accounts) }
            return Share(parameters: try application.silentParameters(numbers))
        }
        let start = Moment()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for share in shares { group.addTask { try await hits(application, share, calls) } }
            try await group.waitForAll()
        }
        return Double(calls * tasks) / start.secondsSince
    }

    /// What one task asks for.
    private struct Share: @unchecked Sendable {
        // Each share is made before its task begins, one task reads it, and nobody changes it.
        let parameters: [MSALSilentTokenParameters]
    }

    @concurrent private static func hits(
        _ application: MSALPublicClientApplication,
        _ share: Share,
        _ calls: Int
    ) async throws {
        let parameters = share.parameters
        for call in 0..<calls {
            _ = try await application.acquireTokenSilent(with: parameters[call % parameters.count])
        }
    }
}
