// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import MSALCore
import Testing

@testable import MSALBase
@testable import MSALCLI

struct NativeReportTests {
    @Test(arguments: [
        (50_053, "reset-password"), (50_055, "reset-password"), (65_001, "consent"), (500_011, "--scope"),
    ])
    func `service codes that are more specific than the reason have their own remedies`(code: Int, remedy: String) {
        let error = NSError(domain: MSALErrorDomain, code: 0, userInfo: ServiceErrorCause.userInfo(of: [1, code]))

        let advice = ServiceRemedy(error)?.text(RemedyContext(isNative: true))

        #expect(advice?.contains(remedy) == true)
    }

    private let account = AccountMembers(
        username: "megan@contoso.example",
        homeAccountId: "uid.utid",
        tenantId: "utid",
        environment: "contoso.ciamlogin.com"
    )

    @Test func `a flow in JSON has all its members`() {
        let report = NativeReport(outcome: .signedUp, username: "megan@contoso.example", account: nil)

        #expect(
            report.json == """
                {
                  "account" : null,
                  "is_persisted" : null,
                  "outcome" : "signed_up",
                  "username" : "megan@contoso.example"
                }
                """
        )
    }

    @Test func `a flow in text reports whether a user is signed in`() {
        var report = NativeReport(outcome: .passwordReset, username: "megan@contoso.example", account: nil)
        #expect(report.text(.plain) == "✓ Changed the password of megan@contoso.example")

        report.account = account
        #expect(report.text(.plain) == "✓ Changed the password, signed in as megan@contoso.example")
    }

    @Test func `JSON reports whether the tokens of a sign-in are stored`() {
        let report = NativeReport(outcome: .signedIn, username: "megan", account: account, isPersisted: false)

        #expect(report.json.contains(#""is_persisted" : false"#))
    }

    @Test func `the token is written only on request`() {
        var report = TokenReport(
            account: account,
            scopes: ["api://a1/ToDoList.Read"],
            expiresOn: Date(timeIntervalSince1970: 1_767_225_600),
            token: PrivateText("hunter2"),
            showsToken: false
        )
        #expect(!report.json.contains("hunter2"))
        #expect(!report.text(.plain).description.contains("hunter2"))
        #expect(report.raw == "hunter2")

        report.showsToken = true
        #expect(report.json.contains(#""access_token" : "hunter2""#))
    }

    @Test(arguments: [
        ["native", "sign-in"], ["native", "sign-up", "megan@contoso.example", "--attribute", "name"],
        ["native", "sign-in", "megan@contoso.example", "--password", "hunter2"],
    ])
    func `arguments that do not parse are usage errors, and there is no flag for a password`(
        _ arguments: [String]
    ) async throws {
        let error = await #expect(throws: (any Error).self) { try await MSALCommand.asyncParseAsRoot(arguments) }

        let failure = try #require(error)
        #expect(MSALCommand.exitCode(for: failure) != .success)
    }
}
