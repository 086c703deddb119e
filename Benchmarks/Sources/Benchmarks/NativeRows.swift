// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Native sign-ins with a password, each with new tokens of the same user, at an endpoint on this machine.
struct NativeRows {
    let bench: Bench

    func run() async throws {
        let endpoint = try Endpoint(bench.path("endpoint"))
        defer { endpoint.stop() }
        bench.table.title("Native sign-ins with a password; the endpoint is another process, whose time does not count")
        let short = try await endpoint.exchange(bench, isForTokens: false)
        let long = try await endpoint.exchange(bench)
        bench.table.row("an HTTPS exchange alone, with a short response", at: nil, short)
        for location in Location.allCases {
            let application = try Application.native(location)
            let whole = try await measured(Rounds(samples: 15, calls: 10, seconds: 2)) { _ in
                try await Self.signIn(application)
            }
            let name = location == .store ? "stored" : "in memory"
            bench.table.row("\(name), all of it, with three exchanges", at: nil, whole)
            bench.table.row(
                "\(name), without TLS and network",
                at: nil,
                whole.without(short).without(short).without(long),
                limit: location == .store ? Limit(what: "commit", value: bench.limits.commit) : nil
            )
        }
        let growth = try await Child.figures(1, of: .signingIn, [Location.store.rawValue, "500"])
        bench.table.row(
            "stored, growth of the process with each after the first 500",
            at: nil,
            value: growth[0],
            unit: .bytes,
            target: 100
        )
    }

    private static func signIn(_ application: MSALNativeAuthPublicClientApplication) async throws {
        let parameters = MSALNativeAuthSignInParameters(username: Content.username(7))
        parameters.password = "a password"
        let step = try await application.signIn(parameters: parameters)
        guard case .completed = step else { throw CocoaError(.featureUnsupported) }
    }

    /// Prints by how many bytes this process grows with each sign-in. It is the child of ``run()``.
    static func growth(_ location: Location, count: Int) async throws {
        let application = try Application.native(location)
        for _ in 0..<count { try await signIn(application) }
        let before = residentBytes()
        for _ in 0..<count { try await signIn(application) }
        say("\((residentBytes() - before) / count)")
    }
}
