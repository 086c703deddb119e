// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

struct SignInModeOptionsTests {
    @Test(
        arguments: [
            (["--mode", "browser"], SignInModeChoice.browser), (["--mode", "paste"], .paste),
            (["--mode", "device-code"], .deviceCode), (["--mode", "broker"], .broker),
            (["--use-device-code"], .deviceCode), (["--mode", "device-code", "--use-device-code"], .deviceCode),
            ([], nil),
        ] as [([String], SignInModeChoice?)]
    )
    func `a sign-in mode is selected by either flag`(arguments: [String], choice: SignInModeChoice?) throws {
        #expect(try SignInModeOptions.parse(arguments).choice == choice)
    }

    @Test(arguments: [
        ["--mode", "paste", "--use-device-code"], ["--no-browser", "--use-device-code"], ["--mode", "desktop"],
        ["--mode", "paste", "--no-input"],
    ])
    func `flags that exclude each other are rejected`(arguments: [String]) {
        #expect(throws: (any Error).self) { try SignInModeOptions.parse(arguments) }
    }

    @Test(arguments: [
        "http://localhost", "http://localhost/back", "msauth.com.contoso.app://auth", "https://localhost:8400",
    ])
    func `a listener that others can reach needs a fixed port`(_ redirectURI: String) throws {
        let failure = try #require(throws: Failure.self) { try SignInVisit.publishedPort(of: redirectURI) }

        #expect(failure.status == .usage && failure.remedy?.contains("--port") == true)
    }

    // It is set by a flag, a variable or a profile.
    @Test(arguments: ["http://localhost:8400", "http://127.0.0.1:8400/back", "http://[::1]:8400"])
    func `the published port is the one in the redirect URI, wherever it is set`(_ redirectURI: String) throws {
        #expect(try SignInVisit.publishedPort(of: redirectURI) == 8400)
    }

    @Test func `a device code waits for no browser and has no address`() {
        #expect(throws: (any Error).self) { try LoginCommand.parse(["--listen", "0.0.0.0", "--use-device-code"]) }
    }

    @Test func `a plan is reported in three formats`() {
        let report = SignInPlanReport(
            machine: "a remote login, a terminal",
            ways: [
                .init(way: "paste", isPossible: true, reason: "a browser on any machine will do"),
                .init(way: "browser", isPossible: false, reason: "no display"),
            ]
        )

        #expect(
            report.text(.plain).description == """
                This machine: a remote login, a terminal
                ✓ paste: a browser on any machine will do
                ✗ browser: no display
                """
        )
        #expect(report.raw == "paste")
        #expect(report.json.contains("\"is_possible\" : false"))
    }

    @Test func `a log line contains time, message and correlation ID`() {
        let line = "TID=1 MSAL 2.0 Linux [2026-11-22 18:00:01 UTC - A-B] GET https://a.example/[x] y: 200, 3 ms"

        #expect(CommandLog.short(line) == "18:00:01 GET https://a.example/[x] y: 200, 3 ms (A-B)")
        #expect(CommandLog.short("other") == "other")
    }

    @Test func `a sign-in that is not stored is not marked as done`() throws {
        var report = SignInReport(
            account: AccountMembers(
                username: "megan@contoso.example",
                homeAccountId: "1.2",
                tenantId: "2",
                environment: "e"
            ),
            authority: "a",
            scopes: [],
            expiresOn: .distantPast,
            isPersisted: true,
            isIdTokenSignatureVerified: true,
            correlationId: "c"
        )
        #expect(report.text(.plain).description == "✓ Signed in as megan@contoso.example")
        #expect(report.json.contains("\"former_default\" : null"))
        (report.isDefault, report.formerDefault) = (true, "alex@contoso.example")
        report.undoCommand = AccountSetCommand.line(
            "alex@contoso.example",
            client: try ClientOptions.parse(["--profile", "my own", "--authority", "https://a.example/t"])
        )
        #expect(
            report.text(.plain).description.hasSuffix(
                """

                This account is now active. To switch back to alex@contoso.example:
                  msal account set alex@contoso.example --profile 'my own' --authority https://a.example/t
                """
            )
        )
        report.isPersisted = false
        #expect(!report.text(.plain).description.contains("✓"))
    }
}
