// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

/// What a failing loop of an app costs the service; its durations are replayed from the conformance scenarios.
struct ThrottleTests {
    private let bench = ClientBench()

    private func client(knowing service: ServiceMemory) -> TokenClient {
        TokenClient(
            configuration: .bench,
            platform: bench.platform,
            store: bench.store,
            session: bench.session,
            service: service
        )
    }

    private func refuse() throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        bench.service.setLast(.reply(.json(.object(["error": .string("invalid_grant")]), status: 400)))
    }

    @Test func `an application object that is made anew for each call is throttled all the same`() async throws {
        try refuse()
        let process = ServiceMemory()

        var failures: [AuthError?] = []
        for _ in 0..<3 {
            let client = client(knowing: process)
            failures.append(
                await #expect(throws: AuthError.self) { try await client.acquireSilently(Contoso.silent()) }
            )
        }

        #expect(failures.map { $0?.isThrottled } == [false, true, true])
        #expect(bench.service.tokenRequests.count == 1)
    }

    @Test func `another process is not`() async throws {
        try refuse()

        for _ in 0..<2 {
            let client = client(knowing: ServiceMemory())
            await #expect(throws: AuthError.self) { try await client.acquireSilently(Contoso.silent()) }
        }

        #expect(bench.service.tokenRequests.count == 2)
    }

    @Test func `scopes that are declined are not asked for again at once`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let members: [String: JSONValue] = ["scope": .string("user.read"), "refresh_token": .null]
        let tokens = Contoso.tokens(idToken: Contoso.idToken(Contoso.claims(at: bench.time.now)), members)
        bench.service.setLast(.reply(.json(.object(tokens.filter { $0.value != .null }))))

        for _ in 0..<2 {
            await #expect(throws: AuthError.self) {
                try await bench.client.acquireSilently(Contoso.silent("user.read mail.read"))
            }
        }

        #expect(bench.service.tokenRequests.count == 1)
    }
}
