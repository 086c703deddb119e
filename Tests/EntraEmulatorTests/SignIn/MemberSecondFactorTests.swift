// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// A second factor of somebody who is no customer.
struct MemberSecondFactorTests {
    private func withSecondFactor(
        isRequired: Bool,
        body: (Bench) async throws -> Void
    ) async throws {
        try await Bench.run {
            $0.directory.users[0].strongMethods = [.init(id: "1", channel: .sms, address: "+15550177")]
            $0.directory.users[0].requiresSecondFactor = isRequired
        } _: {
            try await body($0)
        }
    }

    @Test func `a member of an organization types the code that was sent`() async throws {
        try await withSecondFactor(isRequired: true) { bench in
            let browser = Browser(bench)
            let page = try await browser.signIn(bench.authorizeURL())
            let code = try #require(bench.emulator.newestCode(for: "+15550177"))
            let stay = try await browser.submit(["otc": code])
            try await browser.submit(["action": "no"])
            let done = try await browser.submit(["action": "accept"])

            #expect(page.text.contains("*77"))
            #expect(stay.heading == "Stay signed in?")
            #expect(done.parameters["code"] != nil)
        }
    }

    @Test func `only an API that wants a second factor asks one who has a method`() async throws {
        try await withSecondFactor(isRequired: false) { bench in
            let plain = try await Browser(bench).signIn(bench.authorizeURL())
            let vault = ["scope": bench.emulator.seed.vaultScope]
            let asked = try await Browser(bench).signIn(bench.authorizeURL(changing: vault))

            #expect(plain.parameters["code"] != nil)
            #expect(asked.text.contains("name=\"otc\""))
        }
    }
}
