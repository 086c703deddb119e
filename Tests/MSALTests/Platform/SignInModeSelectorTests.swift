// Licensed under the MIT License. See LICENSE.

import MSAL
import Testing

/// Which sign-in mode is chosen on which machine. Machines are values.
struct SignInModeSelectorTests {
    private func request(
        _ redirect: SignInModeRequest.Redirect = .loopback,
        forced: [SignInMode]? = nil
    ) -> SignInModeRequest {
        var request = SignInModeRequest(redirect: redirect)
        request.canPaste = true
        request.showsDeviceCode = true
        request.showsAddress = true
        request.forced = forced
        return request
    }

    private func machine(_ change: (inout SignInEnvironment) -> Void = { _ in }) -> SignInEnvironment {
        var machine = SignInEnvironment()
        machine.hasTerminal = true
        change(&machine)
        return machine
    }

    private func modes(_ request: SignInModeRequest, on machine: SignInEnvironment) -> [SignInMode] {
        SignInModeSelector().plan(for: request, on: machine).possible
    }

    @Test func `a desktop opens its browser, and the other sign-in modes follow`() {
        let desktop = machine {
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }

        #expect(modes(request(), on: desktop) == [.browser, .paste, .deviceCode])
        #expect(modes(request(.scheme("msauth.com.contoso.app")), on: desktop) == [.appRedirect, .deviceCode])
        #expect(modes(request(.web), on: desktop) == [.appRedirect, .paste, .deviceCode])
    }

    @Test func `without a browser the address is pasted, and a device code comes after that`() {
        let remote = machine { $0.isRemoteLogin = true }

        #expect(modes(request(), on: remote) == [.paste, .deviceCode, .browser])
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
        var request = SignInModeRequest(redirect: .loopback)
        request.showsAddress = true

        let plan = SignInModeSelector().plan(for: request, on: job)

        #expect(plan.possible.isEmpty && !plan.waitsForManualOpen)
        #expect(plan.explanation.contains("and no user can open the address: "))
        request.forced = [.browser]
        #expect(modes(request, on: job) == [.browser])
    }

    @Test func `an app that disables the browser gets the address pasted first, wherever it runs`() {
        var request = request()
        request.opensNoBrowser = true
        let desktop = machine {
            $0.hasTerminal = false
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }

        #expect(modes(request, on: desktop) == [.paste, .deviceCode, .browser])
        (request.canPaste, request.showsDeviceCode) = (false, false)
        let plan = SignInModeSelector().plan(for: request, on: SignInEnvironment())
        #expect(plan.possible == [.browser] && plan.waitsForManualOpen)
        request.showsAddress = false
        #expect(modes(request, on: desktop).isEmpty)
    }

    @Test func `a desktop program without a terminal opens its browser, and waits if the launcher fails`() {
        var desktop = machine {
            $0.hasTerminal = false
            $0.display = ":0"
            $0.launchers = ["xdg-open"]
        }
        var request = SignInModeRequest(redirect: .loopback)
        request.showsAddress = true

        #expect(modes(request, on: desktop) == [.browser])
        #expect(SignInModeSelector().plan(for: request, on: desktop).waitsForManualOpen)
        desktop.isAutomatic = true
        #expect(!SignInModeSelector().plan(for: request, on: desktop).waitsForManualOpen)
    }

    @Test func `an app that cannot show anything has no sign-in mode on a machine without a browser`() throws {
        let plan = SignInModeSelector().plan(
            for: SignInModeRequest(redirect: .loopback),
            on: machine { $0.hasTerminal = false }
        )

        #expect(plan.possible.isEmpty)
        #expect(plan.steps.count == SignInModeSelector.all.count)
        #expect(plan.explanation.contains("no sign-in mode works here"))
        #expect(plan.explanation.contains("the app has no prompt for an address"))
        #expect(plan.explanation.contains("the app shows no code"))
        #expect(plan.explanation.contains("no terminal"))
    }

    @Test func `user flows have no device codes`() {
        var request = request()
        request.hasUserFlows = true

        #expect(modes(request, on: machine()) == [.paste, .browser])
    }

    @Test func `forced sign-in modes are the only ones, in the order of the app`() {
        let plan = SignInModeSelector().plan(
            for: request(forced: [.deviceCode, .paste]),
            on: machine { $0.launchers = ["w3m"] }
        )

        #expect(plan.possible == [.deviceCode, .paste])
        #expect(plan.mode(after: .deviceCode) == .paste)
        #expect(plan.mode(after: .paste) == nil)
        #expect(plan.isForced && plan.explanation.contains("as the app demands"))
        #expect(modes(request(.web, forced: [.browser]), on: machine { $0.launchers = ["w3m"] }).isEmpty)
    }

    @Test func `missing programs are named`() throws {
        let plan = SignInModeSelector().plan(
            for: request(forced: [.browser]),
            on: machine {
                $0.display = ":0"
                $0.missingLaunchers = ["xdg-open", "wslview"]
            }
        )

        #expect(try #require(plan.steps.first).assessment.reason.contains("no xdg-open, no wslview"))
        let remote = machine { $0.missingLaunchers = ["nope"] }
        #expect(
            SignInModeSelector().plan(for: request(forced: [.browser]), on: remote).explanation.contains(
                "no nope, no display"
            )
        )
    }
}
