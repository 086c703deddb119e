// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorBroker
import Foundation
import MSAL
import TestSupport
import Testing

/// Apps on a signed-in device: the library, a bus, a broker and the platform behind it.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BrokerEndToEndTests {
    @Test(arguments: EntraEmulatorBroker.BrokerDialect.allCases)
    func `an app is signed in without a page on a signed-in device`(
        dialect: EntraEmulatorBroker.BrokerDialect
    ) async throws {
        try await SignedInDevice.run(configure: { $0.dialect = dialect }) { device in
            let app = try device.app()

            let result = try await app.signIn()

            #expect(result.account.username == "megan@contoso.example")
            #expect(result.source.origin == .broker)
            #expect(result.isPersisted)
            #expect(app.pages == 0 && app.windows == 0)
            #expect(try app.application.allAccounts().map(\.username) == ["megan@contoso.example"])
        }
    }

    @Test func `two apps share one sign-in of the device`() async throws {
        try await SignedInDevice.run { device in
            let first = try device.app()
            let second = try device.app(device.emulator.seed.tutorialClientID)

            let one = try await first.signIn()
            let two = try await second.signIn()

            #expect(one.account.identifier == two.account.identifier)
            #expect(one.accessToken != two.accessToken)
            #expect(first.pages + second.pages == 0)
        }
    }

    @Test func `after a restart of the app the token comes from the broker, because the store has none`() async throws {
        try await SignedInDevice.run { device in
            let store = MemoryStore()
            _ = try await device.app(store: store).signIn()
            let app = try device.app(store: store)
            let account = try #require(try app.application.allAccounts().first)

            let result = try await app.token(of: account)
            let again = try await app.token(of: account)

            #expect(result.source.origin == .broker)
            #expect(again.source.origin == .cache && again.accessToken == result.accessToken)
            #expect(app.pages == 0)
        }
    }

    @Test func `a forced refresh returns another token of the broker`() async throws {
        try await SignedInDevice.run { device in
            let app = try device.app()
            let first = try await app.signIn()

            let second = try await app.token(of: first.account, refresh: true)

            #expect(second.source.origin == .broker && second.accessToken != first.accessToken)
        }
    }

    @Test func `an account of the device gets a token without a sign-in`() async throws {
        try await SignedInDevice.run { device in
            let app = try device.app()
            #expect(try app.application.allAccounts().isEmpty)

            let offered = try await app.deviceAccounts()
            let account = try #require(offered.first)
            let result = try await app.token(of: account)

            #expect(offered.count == 1 && account.isSSOAccount)
            #expect(result.source.origin == .broker)
            #expect(app.pages == 0 && app.windows == 0)
        }
    }

    @Test func `a user who signed out of the app is prompted again, and the device stays signed in`() async throws {
        try await SignedInDevice.run { device in
            let app = try device.app()
            let other = try device.app(device.emulator.seed.tutorialClientID)
            let result = try await app.signIn()

            try await app.signOut(result.account)

            #expect(try app.application.allAccounts().isEmpty)
            await #expect(throws: Failure.interactionRequired) {
                try await Failure.catching { try await app.token(of: result.account) }
            }
            #expect(try await other.signIn().source.origin == .broker)
        }
    }

    @Test func `without a broker the browser signs in`() async throws {
        try await SignedInDevice.run { device in
            await device.broker.shutdown()
            let app = try device.app()

            let result = try await app.signIn()

            #expect(result.source.origin == .browser)
            #expect(app.pages == 1)
        }
    }

    @Test func `a broker that declines leaves the sign-in to the browser`() async throws {
        try await SignedInDevice.run { device in
            device.broker.fail(.fallBack)
            let app = try device.app()

            let result = try await app.signIn()

            #expect(result.source.origin == .browser)
            #expect(app.pages == 1 && app.windows == 0)
        }
    }

    @Test func `a device without a signed-in user shows the broker's window`() async throws {
        try await SignedInDevice.run(as: nil, configure: { $0.window = .person("megan@contoso.example") }) { device in
            let app = try device.app()

            let result = try await app.signIn()

            #expect(result.account.username == "megan@contoso.example" && result.source.origin == .broker)
            #expect(app.windows == 1 && app.pages == 0)
        }
    }

    @Test func `a user who closes the window cancels, and no browser opens`() async throws {
        try await SignedInDevice.run(as: nil, configure: { $0.window = .closed }) { device in
            let app = try device.app()

            await #expect(throws: Failure.canceled) { try await Failure.catching { try await app.signIn() } }

            #expect(app.windows == 1 && app.pages == 0)
            #expect(try app.application.allAccounts().isEmpty)
        }
    }

    @Test func `an app that cancels closes the window`() async throws {
        try await SignedInDevice.run(as: nil, configure: { $0.window = .nobody }) { device in
            let app = try device.app()
            let signIn = Task { try await Failure.catching { try await app.signIn() } }
            // The app is notified of the window before the broker opens it.
            try await until(device.broker.openWindows == 1)

            signIn.cancel()

            await #expect(throws: Failure.canceled) { try await signIn.value }
            try await until(device.broker.openWindows == 0)
            #expect(device.broker.calls.contains { $0.method == .cancelInteractiveFlow })
        }
    }

    @Test func `a device that left its tenant is reported`() async throws {
        try await SignedInDevice.run { device in
            device.broker.leaveTenant()
            let app = try device.app()

            await #expect(throws: Failure(domain: MSALErrorDomain, code: -50001)) {
                try await Failure.catching { try await app.signIn(modes: [.broker]) }
            }
            #expect(try app.application.allAccounts().isEmpty)
        }
    }

    @Test(arguments: [BrokerFault.html, .deep(), .otherAccount, .otherClient])
    func `an invalid response causes an error, and nothing is stored`(fault: BrokerFault) async throws {
        try await SignedInDevice.run { device in
            device.broker.fail(fault, of: .acquireTokenSilently, times: 2)
            let app = try device.app()

            await #expect(throws: NSError.self) { try await app.signIn(modes: [.broker]) }

            #expect(try app.application.allAccounts().isEmpty)
            #expect(app.pages == 0)
        }
    }

    @Test(arguments: [BrokerFault.numbersAsText, .secondsForMilliseconds, .startUpRace])
    func `an unusual form of a response is accepted`(fault: BrokerFault) async throws {
        try await SignedInDevice.run { device in
            device.broker.fail(fault, of: .acquireTokenSilently)
            let app = try device.app()

            let result = try await app.signIn(modes: [.broker])

            #expect(result.expiresOn.map { (0..<90_000).contains($0.timeIntervalSinceNow) } == true)
        }
    }

    @Test func `a user who signs in with the browser only is not the broker's`() async throws {
        try await SignedInDevice.run { device in
            let app = try device.app()

            let result = try await app.signIn(modes: [.browser])

            #expect(result.source.origin == .browser)
            #expect(app.pages == 1 && app.windows == 0)
        }
    }
}

/// A device that several people use in turn.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SharedDeviceTests {
    @Test func `the user of the device is the current account of every app`() async throws {
        try await SignedInDevice.run(configure: { $0.isShared = true }) { device in
            let app = try device.app()

            let information = try await app.application.deviceInformation(with: nil)
            let (current, _) = try await app.application.currentAccount(with: nil)

            #expect(information.deviceMode == .shared)
            #expect(current?.username == "megan@contoso.example")
            #expect(current?.isSSOAccount == true)
        }
    }

    @Test func `a sign-out in one app signs the user out of all, and the next user is signed in to all`() async throws {
        try await SignedInDevice.run(configure: { $0.isShared = true }) { device in
            let first = try device.app()
            let second = try device.app(device.emulator.seed.tutorialClientID)
            let result = try await first.signIn()
            _ = try await second.signIn()
            _ = try await second.application.currentAccount(with: nil)

            try await first.signOut(result.account)
            let (gone, former) = try await second.application.currentAccount(with: nil)
            try await device.broker.signIn(as: "alex@contoso.example")
            let (next, _) = try await second.application.currentAccount(with: nil)

            #expect(gone == nil)
            #expect(former?.username == "megan@contoso.example")
            #expect(next?.username == "alex@contoso.example")
        }
    }

    @Test func `a private device is in the default mode`() async throws {
        try await SignedInDevice.run { device in
            let information = try await device.app().application.deviceInformation(with: nil)

            #expect(information.deviceMode == .default)
        }
    }
}
