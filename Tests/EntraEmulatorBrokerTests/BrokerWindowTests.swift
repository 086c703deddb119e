// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import EntraEmulatorBroker

/// The window of an interactive call.
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct BrokerWindowTests {
    @Test func `a person signs in on the page, and the device is signed in`() async throws {
        try await Desktop.with(signedIn: nil) { desktop in
            let browser = try desktop.emulator.signIn(as: "alex@contoso.example")
            desktop.broker.window = .browser(try browser.command)
            let response = try await desktop.interactively()

            #expect(response["account"]?["username"]?.nonEmptyString == "alex@contoso.example")
            #expect(try await desktop.accounts().count == 1)
            #expect(try await desktop.silently()["accessToken"]?.nonEmptyString != nil)
        }
    }

    @Test func `the browser ends at a page that says so, and never sees a code`() async throws {
        try await Desktop.with(signedIn: nil) { desktop in
            let browser = try desktop.emulator.signIn(as: "alex@contoso.example")
            desktop.broker.window = .browser(try browser.command)
            _ = try await desktop.interactively()
            try await until(!browser.visits.isEmpty)

            let page = try #require(browser.visits.first).get()
            #expect(page.title.contains("You may close this window"))
            #expect(page.url.query() == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a browser that does not start ends the call with the reason`() async throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let broken = try await folder.writeProgram("browser", bytes: "#!/nonexistent/shell\n".utf8)
        try await Desktop.with(signedIn: nil) { desktop in
            for (program, reason) in [("no-such-browser", "there is no program"), (broken, "interpreter is missing")] {
                desktop.broker.window = .browser([program])

                let response = try await desktop.interactively()

                #expect(response.status == 0)
                #expect(response.text.contains(reason), "\(response.text)")
            }
        }
    }

    @Test func `Cancel in the window cancels the call`() async throws {
        try await Desktop.with(signedIn: nil) { desktop in
            let browser = try desktop.emulator.signIn(as: "alex@contoso.example", choosing: .init(consent: .decline))
            desktop.broker.window = .browser(try browser.command)

            #expect(try await desktop.interactively().status == 7)
            #expect(try await desktop.accounts().isEmpty)
        }
    }

    @Test func `closing the window cancels the call`() async throws {
        try await Desktop.with(configure: { $0.window = .closed }) { desktop in
            let response = try await desktop.interactively()

            #expect(response.status == 7)
        }
    }

    @Test func `an app closes the window of its own call`() async throws {
        try await Desktop.with(configure: { $0.window = .nobody }) { desktop in
            let id = "0a0a0a0a-0000-4000-8000-000000000001"
            async let response = desktop.ask(
                .acquireTokenInteractively,
                desktop.tokenRequest(nil),
                correlationID: id
            )
            try await until(desktop.broker.openWindows == 1)
            _ = try await desktop.ask(.cancelInteractiveFlow, [:], correlationID: id)

            #expect(try await response["brokerTokenResponse"]?.status == 8)
            #expect(desktop.broker.openWindows == 0)
        }
    }

    @Test func `the cancellation of another call leaves the window open`() async throws {
        try await Desktop.with(configure: { $0.window = .nobody }) { desktop in
            let ids = ["0a0a0a0a-0000-4000-8000-000000000001", "0a0a0a0a-0000-4000-8000-000000000002"]
            async let response = desktop.ask(
                .acquireTokenInteractively,
                desktop.tokenRequest(nil),
                correlationID: ids[0]
            )
            try await until(desktop.broker.openWindows == 1)
            let cancellation = try await desktop.ask(.cancelInteractiveFlow, [:], correlationID: ids[1])

            #expect(cancellation["error"] == nil)
            #expect(desktop.broker.openWindows == 1)
            _ = try await desktop.ask(.cancelInteractiveFlow, [:], correlationID: ids[0])
            #expect(try await response["brokerTokenResponse"]?.status == 8)
        }
    }

    @Test func `a sign-in of another user than the requested one is not accepted`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            desktop.broker.window = .person("alex@contoso.example")
            let response = try await desktop.interactively(changes: ["prompt": "login"], account: account)

            #expect(response.status == 16)
            #expect(try await desktop.accounts().count == 1)
        }
    }

    @Test func `a second person on a shared device is refused`() async throws {
        try await Desktop.with(configure: { $0.isShared = true }) { desktop in
            desktop.broker.window = .person("alex@contoso.example")
            let response = try await desktop.interactively()

            #expect(response.status == 12)
            #expect(try await desktop.accounts().first?["homeAccountId"]?.nonEmptyString == desktop.megan)
        }
    }

    @Test func `a second person on one's own device is another account`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.window = .person("alex@contoso.example")
            _ = try await desktop.interactively(changes: ["prompt": "select_account"])
            let names = try await desktop.accounts().compactMap { $0["username"]?.nonEmptyString }

            #expect(names == ["megan@contoso.example", "alex@contoso.example"])
            #expect(
                try await desktop.ask(.acquireTokenSilently, desktop.tokenRequest(nil))["brokerTokenResponse"]?.status
                    == 2
            )
        }
    }

    @Test func `without a person the window says what is missing`() async throws {
        try await Desktop.with(signedIn: nil) { desktop in
            let response = try await desktop.interactively()

            #expect(response.status == 0)
            #expect(response.context.contains("No user is signed in to the device"))
        }
    }

    @Test func `an unknown user cannot be signed in`() async throws {
        try await Desktop.with(signedIn: nil) { desktop in
            await #expect(throws: BrokerStartFailure.self) {
                try await desktop.broker.signIn(as: "nobody@contoso.example")
            }
        }
    }
}
