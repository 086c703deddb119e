// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

struct BrowserLauncherTests {
    let url: URL

    init() throws {
        url = try #require(URL(string: "https://login.example/?a=1&b=2"))
    }

    @Test func `launchers are tried in the documented order`() {
        let launcher = BrowserLauncher(environment: ["BROWSER": "one %s -x:two", "DISPLAY": ":0", "WSL_INTEROP": "y"])

        let commands = launcher.commands(for: url, command: ["mine", "--url=%s"])

        let address = "https://login.example/?a=1&b=2"
        let expected = [
            ["mine", "--url=" + address], ["one", address, "-x"], ["two", address], ["xdg-open", address],
            ["wslview", address],
        ]
        #expect(commands == expected)
    }

    @Test func `without a display nothing of the desktop is started`() {
        #expect(BrowserLauncher(environment: ["DISPLAY": ""]).commands(for: url, command: nil).isEmpty)
    }

    @Test func `a launcher that does not exist makes room for the next`() async {
        let launcher = BrowserLauncher(environment: ["BROWSER": "/nonexistent/browser:/bin/true", "PATH": "/bin"])

        let outcome = await launcher.open(url, command: ["no-such-program"])
        let nothing = await BrowserLauncher(environment: ["PATH": "/bin"]).open(url, command: ["no-such-program"])

        #expect(outcome == .started)
        #expect(nothing == .unavailable)
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "msauth.app://auth", "mailto:a@b.example", "/bin/sh",
    ])
    func `only web addresses are opened`(_ address: String) async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        let environment = bus.environment.merging(["BROWSER": "/bin/true", "DISPLAY": ":0"]) { $1 }
        let url = try #require(URL(string: address))

        let outcome = await BrowserLauncher(environment: environment).open(url, command: ["/bin/true"])

        #expect(outcome == .unavailable)
        #expect(portal.requests.isEmpty)
    }
}
