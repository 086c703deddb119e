// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// How the client detects a broker, and how rarely it checks (docs/reference/Broker.md#presence).
struct BrokerPresenceTests {
    private func absentBus() throws -> FakeBus {
        let bus = try FakeBroker().bus(isRunning: false)
        bus.change(isReported: false) { $0.isActivatable = false }
        return bus
    }

    @Test func `a broker that runs or that the bus can start is present`() async throws {
        for isRunning in [true, false] {
            let bus = try FakeBroker().bus(isRunning: isRunning)
            let broker = BusBroker(bus)
            #expect(await broker.availability() == .present)
            #expect(broker.quickAvailability() == .present)
            // Nothing was started.
            #expect(!bus.state.questions.contains("StartServiceByName"))
        }
    }

    @Test func `a machine without a session bus has no broker`() async {
        let broker = BusBroker(environment: [:], time: ManualTime()) {}

        #expect(await broker.availability() == .absent("the environment does not name a session bus"))
        #expect(!broker.quickAvailability().isPresent)
    }

    @Test func `no connection is opened before the first check`() throws {
        let bus = try FakeBroker().bus()

        _ = BusBroker(bus)

        #expect(bus.state.questions.isEmpty)
    }

    @Test func `an absent broker is remembered for a minute`() async throws {
        let bus = try absentBus()
        let time = ManualTime()
        let broker = BusBroker(bus, time: time)

        #expect(await !broker.availability().isPresent)
        let asked = bus.state.questions
        bus.change(isReported: false) { $0.isRunning = true }
        time.advance(by: .seconds(59))
        #expect(await !broker.availability().isPresent)
        #expect(!broker.quickAvailability().isPresent)
        #expect(bus.state.questions == asked)

        time.advance(by: .seconds(1))
        #expect(await broker.availability().isPresent)
    }

    @Test func `the broker is present as soon as the bus reports its name`() async throws {
        let bus = try absentBus()
        let broker = BusBroker(bus)
        #expect(!broker.quickAvailability().isPresent)

        bus.change { $0.isRunning = true }

        #expect(broker.quickAvailability().isPresent)
        #expect(await broker.availability().isPresent)
    }

    @Test func `the broker is checked again when the bus is replaced`() async throws {
        let bus = try absentBus()
        let broker = BusBroker(bus)
        #expect(!broker.quickAvailability().isPresent)

        bus.change(isReported: false) { $0.isRunning = true }
        bus.hangUp()

        #expect(broker.quickAvailability().isPresent)
    }

    @Test func `a present broker is checked each time`() async throws {
        let bus = try FakeBroker().bus()
        let broker = BusBroker(bus)
        #expect(broker.quickAvailability().isPresent)

        bus.change {
            $0.isRunning = false
            $0.isActivatable = false
        }

        #expect(!broker.quickAvailability().isPresent)
    }

    @Test func `one connection serves all checks`() async throws {
        let bus = try FakeBroker().bus()
        let broker = BusBroker(bus)

        for _ in 0..<3 { #expect(await broker.availability().isPresent) }

        #expect(bus.state.questions.count { $0 == "Hello" } == 1)
    }

    @Test func `a bus that is too slow for an immediate check is checked again by a call that can wait`() async throws {
        let bus = try FakeBroker().bus()
        bus.change(isReported: false) { $0.isMute = true }
        var limits = BrokerLimits.patient
        limits.quickPresence = .milliseconds(20)
        let broker = BusBroker(bus, limits: limits)

        #expect(!broker.quickAvailability().isPresent)
        bus.change(isReported: false) { $0.isMute = false }

        #expect(!broker.quickAvailability().isPresent)
        #expect(await broker.availability().isPresent)
    }

    @Test func `a broker of another user counts as absent`() async throws {
        let bus = try FakeBroker().bus()
        bus.change(isReported: false) { $0.user = FakeBus.ownUser + 4242 }

        let availability = await BusBroker(bus).availability()

        guard case .absent(let reason) = availability else {
            Issue.record("The broker counts as present.")
            return
        }
        #expect(reason.contains("another user (uid \(FakeBus.ownUser + 4242))"))
    }

    @Test func `a call that finds no broker is remembered, too`() async throws {
        let broker = FakeBroker()
        let bus = try broker.bus()
        let client = BusBroker(bus)
        #expect(await client.availability().isPresent)
        bus.change(isReported: false) {
            $0.isRunning = false
            $0.startError = "org.freedesktop.DBus.Error.Spawn.ExecFailed"
        }

        let failure = try await client.failure(of: .tokenSilently)

        #expect(failure?.kind == .absent)
        #expect(await !client.availability().isPresent)
        #expect(broker.calls.isEmpty)
    }
}
