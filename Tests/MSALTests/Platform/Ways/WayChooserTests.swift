// Licensed under the MIT License. See LICENSE.

import MSAL
import Testing

/// Which sign-in mode is chosen on which machine. Machines are values.
struct WayChooserTests {
    private func request(
        _ redirect: WayRequest.Redirect = .loopback,
        forced: [WayName]? = nil
    ) -> WayRequest {
        var request = WayRequest(redirect: redirect)
        request.canPaste = true
        request.showsDeviceCode = true
        request.showsAddress = true
        request.forced = forced
        return request
    }

    private func machine(_ change: (inout Surroundings) -> Void = { _ in }) -> Surroundings {
        var machine = Surroundings()
        machine.hasTerminal = true
        change(&machine)
        return machine
    }

    private func ways(_ request: WayRequest, on machine: Surroundings) -> [WayName] {
        WayChooser().plan(for: request, on: machine).possible
    }

    @Test func `a desktop opens its browser, and the other sign-in modes follow`() {
        let desktop = machine {
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }

        #expect(ways(request(), on: desktop) == [.browser, .paste, .deviceCode])
        #expect(ways(request(.scheme("msauth.com.contoso.app")), on: desktop) == [.appRedirect, .deviceCode])
        #expect(ways(request(.web), on: desktop) == [.appRedirect, .paste, .deviceCode])
    }

    @Test func `without a browser the address is pasted, and a device code comes after that`() {
        let remote = machine { $0.isRemoteLogin = true }

        #expect(ways(request(), on: remote) == [.paste, .deviceCode, .browser])
    }

    @Test(arguments: [(true, true), (false, false)])
    func `opening an address by hand is not offered in a CI build or without a terminal`(
        isAutomatic: Bool,
        hasTerminal: Bool
    ) throws {
        let job = machine {
            $0.isAutomatic = isAutomatic
            $0.hasTerminal = hasTerminal
        }
        var request = WayRequest(redirect: .loopback)
        request.showsAddress = true

        let plan = WayChooser().plan(for: request, on: job)

        #expect(plan.possible.isEmpty && !plan.waitsForHand)
        #expect(plan.words.contains("and nobody is there to open the address: "))
        request.forced = [.browser]
        #expect(ways(request, on: job) == [.browser])
    }

    @Test func `an app that disables the browser gets the address pasted first, wherever it runs`() {
        var request = request()
        request.opensNoBrowser = true
        let desktop = machine {
            $0.hasTerminal = false
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }

        #expect(ways(request, on: desktop) == [.paste, .deviceCode, .browser])
        (request.canPaste, request.showsDeviceCode) = (false, false)
        let plan = WayChooser().plan(for: request, on: Surroundings())
        #expect(plan.possible == [.browser] && plan.waitsForHand)
        request.showsAddress = false
        #expect(ways(request, on: desktop).isEmpty)
    }

    @Test func `a desktop program without a terminal opens its browser, and waits if the launcher fails`() {
        var desktop = machine {
            $0.hasTerminal = false
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }
        var request = WayRequest(redirect: .loopback)
        request.showsAddress = true

        #expect(ways(request, on: desktop) == [.browser])
        #expect(WayChooser().plan(for: request, on: desktop).waitsForHand)
        desktop.isAutomatic = true
        #expect(!WayChooser().plan(for: request, on: desktop).waitsForHand)
    }

    @Test func `an app that cannot show anything has no sign-in mode on a machine without a browser`() throws {
        let plan = WayChooser().plan(for: WayRequest(redirect: .loopback), on: machine { $0.hasTerminal = false })

        #expect(plan.possible.isEmpty)
        #expect(plan.steps.count == WayChooser.all.count)
        #expect(plan.words.contains("no way to sign in works here"))
        #expect(plan.words.contains("the app has no prompt for an address"))
        #expect(plan.words.contains("the app shows no code"))
        #expect(plan.words.contains("no terminal"))
    }

    @Test func `user flows have no device codes`() {
        var request = request()
        request.hasUserFlows = true

        #expect(ways(request, on: machine()) == [.paste, .browser])
    }

    @Test func `forced sign-in modes are the only ones, in the order of the app`() {
        let plan = WayChooser().plan(
            for: request(forced: [.deviceCode, .paste]),
            on: machine { $0.launchers = ["w3m"] }
        )

        #expect(plan.possible == [.deviceCode, .paste])
        #expect(plan.way(after: .deviceCode) == .paste)
        #expect(plan.way(after: .paste) == nil)
        #expect(plan.isForced && plan.words.contains("as the app demands"))
        #expect(ways(request(.web, forced: [.browser]), on: machine { $0.launchers = ["w3m"] }).isEmpty)
    }

    @Test func `missing programs are named`() throws {
        let plan = WayChooser().plan(
            for: request(forced: [.browser]),
            on: machine {
                $0.display = ":0"
                $0.missingLaunchers = ["xdg-open", "wslview"]
            }
        )

        #expect(try #require(plan.steps.first).judgement.reason.contains("no xdg-open, no wslview"))
        let remote = machine { $0.missingLaunchers = ["nope"] }
        #expect(WayChooser().plan(for: request(forced: [.browser]), on: remote).words.contains("no nope, no display"))
    }
}
