// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The old token while the service is down (docs/reference/Silent.md#service-unavailable), if it expires during the
/// attempt to renew it.
struct SilentFallbackTests {
    /// A token that is due for renewal and valid for another 400 seconds, extended to 800, and a service that takes
    /// that many seconds to fail.
    private func bench(taking seconds: Int, extended: Bool) throws -> ClientBench {
        var configuration = ClientConfiguration.bench
        configuration.extendedLifetimeEnabled = extended
        let bench = ClientBench(configuration)
        let (time, now) = (bench.time, bench.time.now)
        try bench.seed(
            Contoso.refreshToken(),
            Contoso.accountRecord,
            .accessToken(
                AccessTokenRecord(
                    homeAccountID: Contoso.homeAccountID,
                    environment: Contoso.environment,
                    clientID: Contoso.clientID,
                    realm: Contoso.tenant,
                    target: "user.read",
                    secret: Secret("secret-access-token"),
                    life: TokenLife(
                        cachedAt: now.addingTimeInterval(-600),
                        expiresOn: now.addingTimeInterval(400),
                        extendedExpiresOn: now.addingTimeInterval(800),
                        refreshOn: now.addingTimeInterval(-1)
                    )
                )
            )
        )
        bench.service.setLast(
            .made { _ throws(TransportError) in
                time.advance(by: .seconds(seconds))
                throw TransportError(.tlsHandshake, message: "As the script says.")
            }
        )
        return bench
    }

    @Test func `a token that is still valid is returned if its renewal fails`() async throws {
        let bench = try bench(taking: 1, extended: false)

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.source == .cacheAfterFailedRefresh)
        #expect(!result.isExtendedLifetime)
    }

    @Test func `a token that expired in the meantime is not returned`() async throws {
        let bench = try bench(taking: 401, extended: false)

        let error = await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }

        guard case .transport = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a token that expired in the meantime is returned in its extended lifetime, and marked`() async throws {
        let bench = try bench(taking: 401, extended: true)

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.source == .cacheAfterFailedRefresh)
        #expect(result.isExtendedLifetime)
        #expect(result.expiresOn == bench.time.now.addingTimeInterval(399))
    }

    @Test func `a token whose extended lifetime expired in the meantime is not returned`() async throws {
        let bench = try bench(taking: 801, extended: true)

        _ = await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }
    }
}
