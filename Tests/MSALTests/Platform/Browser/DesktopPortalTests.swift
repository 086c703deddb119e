// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL

struct DesktopPortalTests {
    let url: URL

    init() throws {
        url = try #require(URL(string: "https://login.example/?a=1&b=2"))
    }

    @Test func `the portal receives the address and the parent window`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()

        let outcome = await BrowserLauncher(environment: bus.environment).open(
            url,
            command: nil,
            parentWindow: "x11:2a0001"
        )

        #expect(outcome == .started)
        #expect(portal.requests == [.init(parentWindow: "x11:2a0001", address: url.absoluteString)])
    }

    @Test(arguments: ["", "x11:", "x11:zz", "wayland:", "wayland:a b", "y:1", "x11:1\n"])
    func `an invalid window handle is omitted`(_ handle: String) async throws {
        let portal = FakePortal()
        let bus = try portal.bus()

        _ = await DesktopPortal(environment: bus.environment).open(url, parentWindow: handle)

        #expect(portal.requests.map(\.parentWindow) == [""])
    }

    @Test func `a configured command takes precedence, and the portal over xdg-open`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        let desktop = bus.environment.merging(["DISPLAY": ":0", "PATH": "/nonexistent"]) { $1 }
        let chosen = desktop.merging(["BROWSER": "/bin/true"]) { $1 }

        let byChoice = await BrowserLauncher(environment: chosen).open(url, command: nil)
        let untouched = portal.requests.isEmpty
        let byPortal = await BrowserLauncher(environment: desktop).open(url, command: nil)

        #expect(byChoice == .started && untouched)
        #expect(byPortal == .started && portal.requests.count == 1)
    }

    @Test func `a remote login without a display does not open windows elsewhere`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        let remote = bus.environment.merging(["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]) { $1 }

        let outcome = await BrowserLauncher(environment: remote).open(url, command: nil)

        #expect(outcome == .unavailable)
        #expect(portal.requests.isEmpty)
    }

    @Test func `a canceled task makes no request`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()

        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await DesktopPortal(environment: bus.environment).open(url, parentWindow: nil)
        }.value

        #expect(outcome == .canceled)
        #expect(portal.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a canceled task does not wait for a bus that does not respond`() async throws {
        // No program accepts the connection, so there is no response.
        let folder = try TemporaryDirectory()
        let listener = try silentSocket("\(folder.path)/s")
        var portal = DesktopPortal(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/s"])
        portal.limit = .seconds(600)

        let isThere = await Task { [portal] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await portal.isThere()
        }.value

        #expect(!isThere)
        close(listener)
    }

    @Test func `a user who closes the dialog has canceled`() async throws {
        let bus = try FakePortal(code: 1).bus()

        let outcome = await BrowserLauncher(environment: bus.environment).open(url, command: nil)

        #expect(outcome == .canceled)
    }

    @Test func `a portal that fails is followed by the next launcher`() async throws {
        let failing = try FakePortal(code: 2).bus()
        let refusing = try FakePortal(error: "org.freedesktop.portal.Error.NotFound").bus()
        let absent = try FakeBus(names: []) { _ in [] }

        for bus in [failing, refusing, absent] {
            let outcome = await DesktopPortal(environment: bus.environment).open(url, parentWindow: nil)
            #expect(outcome == .unavailable)
        }
    }

    @Test func `a portal of another user gets no address, and counts as absent`() async throws {
        let portal = FakePortal()
        let bus = try portal.bus()
        bus.change(isReported: false) {
            $0.isRunning = true
            $0.user = FakeBus.ownUser + 4242
        }
        let desktop = DesktopPortal(environment: bus.environment)

        #expect(await !desktop.isThere())
        #expect(await desktop.open(url, parentWindow: nil) == .unavailable)
        #expect(portal.requests.isEmpty)
    }

    @Test func `a portal that exits before the user has chosen is followed by the next launcher`() async throws {
        let bus = try FakePortal(code: nil, leaves: true).bus()

        #expect(await DesktopPortal(environment: bus.environment).open(url, parentWindow: nil) == .unavailable)
    }

    @Test func `a user may take time to choose`() async throws {
        let bus = try FakePortal(code: nil).bus()
        var portal = DesktopPortal(environment: bus.environment)
        portal.choice = .milliseconds(1)

        let outcome = await portal.open(url, parentWindow: nil)

        #expect(outcome == .started)
    }

    private func silentSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 1) == 0)
        return descriptor
    }

    @MainActor @Test func `an object that is a window passes its handle`() {
        final class Window: MSALPresentationParent {
            var parentWindowHandle: String { "wayland:abc" }
        }
        let window = Window()
        let parameters = MSALWebviewParameters(authPresentationViewController: window)

        #expect(parameters.parentWindow == "wayland:abc")
        #expect(MSALWebviewParameters(authPresentationViewController: NSObject()).parentWindow == nil)
    }
}
