// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The load that a failing loop of an app puts on the service. Durations are taken from the conformance scenarios.
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

    @Test func `an application object that is created for each call is throttled, too`() async throws {
        try refuse()
        let process = ServiceMemory()

        var failures: [AuthError?] = []
        for _ in 0..<3 {
            let client = client(knowing: process)
            failures.append(
                await #expect(throws: AuthError.self) { try await client.silent.acquire(Contoso.silent()) }
            )
        }

        #expect(failures.map { $0?.isThrottled } == [false, true, true])
        #expect(bench.service.tokenRequests.count == 1)
    }

    @Test func `another process is not throttled`() async throws {
        try refuse()

        for _ in 0..<2 {
            let client = client(knowing: ServiceMemory())
            await #expect(throws: AuthError.self) { try await client.silent.acquire(Contoso.silent()) }
        }

        #expect(bench.service.tokenRequests.count == 2)
    }

    @Test(arguments: [429, 503])
    func `a pause that the service names is observed by the next process`(_ status: Int) async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        bench.service.setLast(.reply(HTTPResponse(status: status, headers: ["Retry-After": "90"])))
        let next = { client(knowing: ServiceMemory()) }
        let first = await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent()) }

        bench.time.advance(by: .seconds(30))
        let second = await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent()) }
        #expect(bench.service.tokenRequests.count == 1)
        bench.time.advance(by: .seconds(61))
        await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent()) }

        #expect(bench.service.tokenRequests.count == 2)
        #expect(first?.isThrottled == false)
        #expect(second?.isThrottled == true)
        let error = try #require(second?.nsError)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "\(status)")
        #expect((error.userInfo[MSALHTTPHeadersKey] as? [String: String])?["Retry-After"] == "60")
        #expect(error.userInfo[MSALThrottlingCacheHitKey] as? Int == 1)
    }

    @Test func `a pause applies to one request, and for at most an hour`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        bench.service.setLast(.reply(HTTPResponse(status: 429, headers: ["Retry-After": "86400"])))
        let next = { client(knowing: ServiceMemory()) }
        await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent()) }

        await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent("mail.read")) }
        #expect(bench.service.tokenRequests.count == 2)
        bench.time.advance(by: .seconds(3602))
        await #expect(throws: AuthError.self) { try await next().silent.acquire(Contoso.silent()) }

        #expect(bench.service.tokenRequests.count == 3)
    }

    @Test func `a response without a pause does not block other processes`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        bench.service.setLast(.reply(HTTPResponse(status: 429)))

        for _ in 0..<2 {
            let client = client(knowing: ServiceMemory())
            await #expect(throws: AuthError.self) { try await client.silent.acquire(Contoso.silent()) }
        }

        #expect(bench.service.tokenRequests.count == 2)
    }

    @Test func `a clock that was set back does not prolong a pause`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let cache = bench.client.cache

        try cache.keep(ServicePause(status: 429, until: bench.time.now + 7200), for: "request")

        #expect(try cache.pause("request", now: bench.time.now) == nil)
        #expect(try cache.pause("request", now: bench.time.now + 4000)?.status == 429)
        #expect(try cache.pause("request", now: bench.time.now + 7201) == nil)
        #expect(try cache.pause("another", now: bench.time.now + 4000) == nil)
    }

    @Test func `declined scopes are not requested again at once`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let members: [String: JSONValue] = ["scope": .string("user.read"), "refresh_token": .null]
        let tokens = Contoso.tokens(idToken: Contoso.idToken(Contoso.claims(at: bench.time.now)), members)
        bench.service.setLast(.reply(.json(.object(tokens.filter { $0.value != .null }))))

        for _ in 0..<2 {
            await #expect(throws: AuthError.self) {
                try await bench.client.silent.acquire(Contoso.silent("user.read mail.read"))
            }
        }

        #expect(bench.service.tokenRequests.count == 1)
    }
}
