// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import MSAL
import TestSupport
import Testing

/// The library signs in through a browser stand-in, which it starts like any other browser.
@Suite(.timeLimit(.minutes(2))) struct BrowserStandInTests {
    @Test func `the page about tests contains the interactive test of this folder`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: tests.appending(path: "InteractiveTest.swift"), encoding: .utf8)
        let page = try String(contentsOf: tests.appending(path: "../../docs/TestingYourApp.md"), encoding: .utf8)

        let shown = try #require(program.range(of: "\n\n")).upperBound

        #expect(page.contains("```swift\n\(program[shown...])```"))
    }

    @Test func `the callback for the address accepts a stand-in, too`() async throws {
        try await EndToEndScenario.run { scenario in
            let webview = MSALWebviewParameters()
            webview.onOpen = try scenario.emulator.signIn(as: "megan@contoso.example").open
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)

            #expect(
                try await scenario.application.acquireToken(with: parameters).account.username
                    == "megan@contoso.example"
            )
        }
    }

    @Test func `a program that respects BROWSER accepts a stand-in`() async throws {
        try await Emulator.with { emulator in
            var command = try await CommandRunner(browsing: emulator)
            command.environment["BROWSER"] = try emulator.signIn(as: "alex@contoso.example").command[0]

            let login = try await command.run("login", "-o", "raw")

            #expect(login.output == "alex@contoso.example\n", "\(login.errors)")
        }
    }

    /// Runs in a separate process, because all stand-ins of a process share one folder.
    @Test func `a temporary folder of any name works for a stand-in, too`() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryDirectory { folder in
                let temporary = folder.appending(path: "a folder").path(percentEncoded: false)
                try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
                setenv("TMPDIR", temporary, 1)
                try #require(FileManager.default.temporaryDirectory.path(percentEncoded: false).contains("a folder"))

                try await Emulator.with { emulator in
                    var command = try await CommandRunner(browsing: emulator)
                    let standIn = try emulator.signIn(as: "alex@contoso.example")
                    command.environment["BROWSER"] = try standIn.command.joined(separator: " ")

                    let login = try await command.run("login", "-o", "raw")

                    #expect(login.output == "alex@contoso.example\n", "\(login.errors)")
                }
            }
        }
    }

    @Test func `a sign-in that cannot be completed ends with the reason`() async throws {
        try await EndToEndScenario.run { scenario in
            let webview = MSALWebviewParameters()
            webview.onOpen = try scenario.emulator.signIn(
                as: "megan@contoso.example",
                choosing: .init(password: "wrong")
            ).open
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)

            let error = await #expect(throws: NSError.self) {
                try await scenario.application.acquireToken(with: parameters)
            }

            #expect(error?.code != MSALError.userCanceled.rawValue)
            let told = "\(error?.userInfo ?? [:])".contains("The browser stand-in failed")
            #expect(told, "\(String(describing: error))")
        }
    }

    @Test func `a platform page that ends a sign-in is reported to the app`() async throws {
        try await EndToEndScenario.run(configure: { configuration, _ in configuration.clientId = "unknown" }) {
            scenario in
            let webview = MSALWebviewParameters()
            webview.onOpen = try scenario.emulator.signIn(as: "megan@contoso.example").open
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)

            let error = await #expect(throws: NSError.self) {
                try await scenario.application.acquireToken(with: parameters)
            }

            let told = "\(error?.userInfo ?? [:])".contains("AADSTS700016")
            #expect(told, "\(String(describing: error))")
        }
    }

    @Test func `the code of a device is typed`() async throws {
        try await EndToEndScenario.run { scenario in
            let browser = try scenario.emulator.signIn(as: "megan@contoso.example")
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"])
            parameters.modes = [.deviceCode]
            parameters.onDeviceCode = { state in
                guard state.kind == .code, let code = state.code else { return }
                // Ends with the sign-in that is awaited below.
                Task { try await browser.enter(code.userCode, at: code.verificationUri) }
            }

            #expect(
                try await scenario.application.acquireToken(with: parameters).account.username
                    == "megan@contoso.example"
            )
        }
    }
}
