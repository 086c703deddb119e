// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The cookies that sign in a browser (docs/reference/Broker.md#cookies).
struct SSOCookieTests {
    private let bench = BrokerBench()
    private let page = "https://login.microsoftonline.com/common/oauth2/authorize?sso_nonce=n"

    private func cookies(for page: String, homeAccountID: String? = nil) async throws -> [BrokerCookie] {
        let url = try #require(URL(string: page))
        return try await bench.client.broker.ssoCookies(for: url, homeAccountID: homeAccountID)
    }

    private func detail(_ body: () async throws -> Void) async -> Int? {
        let error = await bench.failure(body)
        return (error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
    }

    @Test func `the only account of the broker is used, and nothing is stored`() async throws {
        let cookies = try await cookies(for: page)

        #expect(cookies.map(\.name) == ["x-ms-RefreshTokenCredential"])
        #expect(bench.broker.calls == [.accounts(clientID: Contoso.clientID), .cookies])
        #expect(try bench.records().isEmpty)
    }

    @Test(arguments: [
        "https://contoso.example/", "http://login.microsoftonline.com/", "https://login.microsoftonline.com:444/",
        "https://login.microsoftonline.com.contoso.example/", "https://login.microsoftonline.com@contoso.example/",
    ])
    func `only the sign-in page gets a cookie`(page: String) async throws {
        let detail = await detail { _ = try await cookies(for: page) }

        #expect(detail == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(bench.broker.calls.isEmpty)
    }

    @Test func `with several accounts one has to be named`() async throws {
        bench.broker.change { $0.accounts = [.amy, .bob] }

        let unclear = await detail { _ = try await self.cookies(for: page) }
        let cookies = try await cookies(for: page, homeAccountID: Contoso.homeAccountID.uppercased())
        let unknown = await detail { _ = try await self.cookies(for: page, homeAccountID: "nobody.at-all") }

        #expect(unclear == MSALInternalError.internalErrorAmbiguousAccount.rawValue)
        #expect(cookies.count == 1)
        #expect(unknown == MSALInternalError.internalErrorAccountRequired.rawValue)
    }

    @Test func `without a broker, or if it may not be used, there are no cookies`() async throws {
        bench.broker.change { $0.availability = .absent("the environment does not name a session bus") }

        let error = await bench.failure { _ = try await cookies(for: page) }

        #expect((error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue == -42714)
        #expect(error?.localizedDescription.contains("does not name a session bus") == true)
        #expect(bench.broker.calls.isEmpty)
    }

    @Test func `a cookie that an app prints by accident stays hidden`() async throws {
        let application = try bench.application()
        let url = try #require(URL(string: page))

        let cookie = try #require(try await application.ssoCookies(for: url).first)

        #expect(cookie.value == "cookie")
        var dumped = ""
        dump(cookie, to: &dumped)
        for text in ["\(cookie)", String(reflecting: cookie), dumped] {
            #expect(!text.contains("\"cookie\"") && !text.contains("= cookie"))
        }
    }
}
