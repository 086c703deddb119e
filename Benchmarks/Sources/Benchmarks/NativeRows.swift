// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Native sign-ins with a password, each of which stores new tokens of the same user, at an endpoint on this machine.
struct NativeRows {
    let bench: Bench

    /// The versions of native authentication.
    enum Version: String, CaseIterable {
        case v1 = "V1", v2 = "V2"

        /// The exchanges of a sign-in before the token request.
        var steps: Int { self == .v1 ? 2 : 4 }
    }

    func run() async throws {
        let endpoint = try Endpoint(bench.path("endpoint"))
        defer { endpoint.stop() }
        bench.table.title("Native sign-ins with a password, at an endpoint in another process")
        let short = try await endpoint.exchange(bench, isForTokens: false)
        let long = try await endpoint.exchange(bench)
        bench.table.row("HTTPS exchange only, short response", at: nil, short)
        for location in Location.allCases {
            let application = try Application.native(location)
            var medians: [Double] = []
            for version in Version.allCases {
                let whole = try await measured(Rounds(samples: 15, calls: 10, seconds: 2)) { _ in
                    try await Self.signIn(application, version)
                }
                let own = (0..<version.steps).reduce(whole.without(long)) { rest, _ in rest.without(short) }
                let name = "\(version.rawValue) \(location == .store ? "stored" : "in memory")"
                bench.table.row("\(name), total, \(version.steps + 1) exchanges", at: nil, whole)
                bench.table.row(
                    "\(name), without TLS and network",
                    at: nil,
                    own,
                    limit: location == .store ? Limit(what: "commit", value: bench.limits.commit) : nil
                )
                medians.append(own.median)
            }
            bench.table.row(
                "V2 \(location == .store ? "stored" : "in memory"), relative to V1 (five requests to three)",
                at: nil,
                value: medians[1] / medians[0],
                unit: .ratio,
                target: 5.0 / 3
            )
        }
        for version in Version.allCases {
            let growth = try await Child.figures(1, of: .signingIn, [Location.store.rawValue, "500", version.rawValue])
            bench.table.row(
                "\(version.rawValue) stored, growth of the process per sign-in after the first 500",
                at: nil,
                value: growth[0],
                unit: .bytes,
                target: 100
            )
        }
    }

    private static func signIn(
        _ application: MSALNativeAuthPublicClientApplication,
        _ version: Version
    ) async throws {
        guard version == .v1 else {
            let parameters = MSALNativeAuthSignInParametersV2(username: Content.username(7))
            guard case .passwordRequired(let state) = try await application.signInV2(parameters: parameters),
                case .completed = try await state.submit(password: "a password")
            else { throw CocoaError(.featureUnsupported) }
            return
        }
        let parameters = MSALNativeAuthSignInParameters(username: Content.username(7))
        parameters.password = "a password"
        let step = try await application.signIn(parameters: parameters)
        guard case .completed = step else { throw CocoaError(.featureUnsupported) }
    }

    /// Prints the bytes by which this process grows per sign-in. Runs in a child of ``run()``.
    static func growth(_ location: Location, count: Int, version: Version) async throws {
        let application = try Application.native(location)
        for _ in 0..<count { try await signIn(application, version) }
        let before = residentBytes()
        for _ in 0..<count { try await signIn(application, version) }
        say("\((residentBytes() - before) / count)")
    }
}
