// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import DBus
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// Buses and brokers that are hostile, broken or gone: each call ends in a failure that says what happened.
struct BrokerBadInputTests {
    private static let methods: [IdentityBrokerMethod] = IdentityBrokerMethod.allCases.filter(\.isCalledByFlows)

    private func failure(
        _ replies: [FakeBroker.Reply],
        of method: IdentityBrokerMethod,
        limits: BrokerLimits = .patient
    ) async throws -> BrokerFailure? {
        let bus = try FakeBroker([method: replies]).bus()
        return try await BusBroker(bus, limits: limits).failure(of: method)
    }

    // MARK: - Presence

    @Test(arguments: methods)
    func `without a bus there is no broker`(_ method: IdentityBrokerMethod) async throws {
        let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/at/all"]
        for environment in [[:], nowhere] {
            let broker = BusBroker(environment: environment, time: ManualTime()) {}
            let failure = try #require(try await broker.failure(of: method))
            #expect(failure.kind == .absent)
            #expect(failure.message.hasPrefix("No identity broker is available: "))
        }
    }

    @Test(arguments: methods)
    func `a broker of another user gets no call`(_ method: IdentityBrokerMethod) async throws {
        let broker = FakeBroker()
        let bus = try broker.bus()
        bus.change(isReported: false) { $0.user = 4242 }

        let failure = try #require(try await BusBroker(bus).failure(of: method))

        #expect(failure.kind == .absent)
        #expect(failure.message.contains("another user (uid 4242)"))
        #expect(broker.calls.isEmpty)
    }

    @Test func `a broker that runs as root is trusted`() async throws {
        let bus = try FakeBroker([.removal: [.json(.object([:]))]]).bus()
        bus.change(isReported: false) { $0.user = 0 }

        let failure = try await BusBroker(bus).failure(of: .removal)

        #expect(failure == nil)
    }

    @Test(arguments: ["Spawn.ServiceNotFound", "Spawn.ChildExited", "Spawn.ExecFailed", "TimedOut", "AccessDenied"])
    func `a broker that cannot be started is absent`(_ name: String) async throws {
        let broker = FakeBroker()
        let bus = try broker.bus(isRunning: false)
        bus.change(isReported: false) { $0.startError = "org.freedesktop.DBus.Error." + name }
        let client = BusBroker(bus)
        // The list of activatable names does not predict the result of an attempt.
        #expect(await client.availability().isPresent)

        let failure = try #require(try await client.failure(of: .accounts))

        #expect(failure.kind == .absent)
        #expect(broker.calls.isEmpty)
        #expect(await !client.availability().isPresent)
    }

    @Test func `a name without an owner is not a broker`() async throws {
        let broker = FakeBroker()
        let bus = try broker.bus(isRunning: false)
        bus.change(isReported: false) { $0.isActivatable = false }

        let failure = try await BusBroker(bus).failure(of: .tokenSilently)

        #expect(failure?.kind == .absent)
    }

    @Test func `if the owner is replaced during a silent call, its successor is called`() async throws {
        let broker = FakeBroker([.tokenSilently: [.silence, .json(BrokerSample.token())]])
        let bus = try broker.bus()
        broker.onCall { [weak bus] _ in bus?.change { $0.uniqueName = ":1.200" } }

        let failure = try await BusBroker(bus).failure(of: .tokenSilently)

        #expect(failure == nil)
        #expect(broker.calls.count == 2)
    }

    @Test func `if the owner is replaced before the call, nothing is sent to the old name`() async throws {
        let broker = FakeBroker([.removal: [.json(.object([:]))]])
        let bus = try broker.bus()
        let client = BusBroker(bus)
        #expect(await client.availability().isPresent)
        bus.change { $0.uniqueName = ":1.200" }

        let failure = try await client.failure(of: .removal)

        #expect(failure == nil)
        #expect(broker.calls.count == 1)
    }

    @Test func `a broker that exits during an interactive call ends the call, and no second window opens`()
        async throws
    {
        for reply in [FakeBroker.Reply.departure, .hangUp] {
            let broker = FakeBroker([.tokenInteractively: [reply]])
            let bus = try broker.bus()

            let failure = try await BusBroker(bus).failure(of: .tokenInteractively)

            #expect(failure?.kind == .unreachable)
            #expect(broker.members == ["acquireTokenInteractively"])
        }
    }

    @Test(arguments: methods.filter(\.isRepeatable))
    func `a broker that exits twice ends the call`(_ method: IdentityBrokerMethod) async throws {
        for reply in [FakeBroker.Reply.departure, .hangUp] {
            let failure = try await failure([reply], of: method)
            #expect(failure?.kind == .unreachable)
        }
    }

    // MARK: - Time limits

    @Test(arguments: [IdentityBrokerMethod.version, .accounts, .tokenSilently, .cookie, .removal])
    func `a broker that hangs ends the call at its time limit, without another attempt`(
        _ method: IdentityBrokerMethod
    ) async throws {
        let broker = FakeBroker([method: [.silence]])
        let bus = try broker.bus()
        var limits = BrokerLimits.patient
        limits.silent = .milliseconds(500)

        let failure = try await BusBroker(bus, limits: limits).failure(of: method)

        #expect(failure?.kind == .unreachable)
        #expect(broker.calls.count <= 1)
    }

    @Test func `a bus that hangs counts as a bus without a broker`() async throws {
        let bus = try FakeBroker().bus()
        bus.change(isReported: false) { $0.isMute = true }
        var limits = BrokerLimits.patient
        limits.presence = .milliseconds(20)

        let failure = try await BusBroker(bus, limits: limits).failure(of: .tokenInteractively)

        #expect(failure?.kind == .absent)
    }

    @Test func `each method except the interactive one has a time limit`() {
        let limits = BrokerLimits()
        for method in IdentityBrokerMethod.allCases {
            #expect((limits.limit(of: method) == nil) == (method == .tokenInteractively))
        }
        #expect(limits.limit(of: .tokenSilently) == .seconds(10))
        #expect(limits.limit(of: .version) == .seconds(10))
        #expect(limits.quickPresence == .milliseconds(250))
    }

    // MARK: - Responses

    @Test(arguments: methods)
    func `a malformed response is rejected`(_ method: IdentityBrokerMethod) async throws {
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        let replies: [FakeBroker.Reply] = [
            .text("<html><body>502</body></html>"), .text("[]"), .text("null"), .text("7"), .text("{"), .text(" "),
            .text("\u{1B}[2J"), .text(deep), .text(#"{"brokerTokenResponse":\#(deep),"accounts":\#(deep)}"#),
            .values([]), .values([.uint32(5)]), .values([.string("{}"), .string("{}")]),
        ]
        for reply in replies {
            let failure = try await failure([reply], of: method)
            #expect(failure?.kind == .unreadable)
        }
    }

    @Test(arguments: [IdentityBrokerMethod.accounts, .tokenInteractively])
    func `a response of 20 MB is rejected before it is read`(_ method: IdentityBrokerMethod) async throws {
        let huge = #"{"x":""# + String(repeating: "a", count: 20_000_000) + #""}"#

        let failure = try #require(try await failure([.text(huge)], of: method))

        #expect(failure.kind == .unreadable)
        #expect(failure.message.contains("longer than 1 MiB"))
    }

    @Test func `an empty response requires interaction for a silent token, and is rejected elsewhere`() async throws {
        for method in Self.methods {
            let failure = try await failure([.text("")], of: method)
            #expect(failure?.kind == (method == .tokenSilently ? .interactionRequired : .unreadable))
        }
    }

    @Test(arguments: methods.filter { $0 != .version && $0 != .removal })
    func `a response without the requested data is rejected`(_ method: IdentityBrokerMethod) async throws {
        let values: [JSONValue] = [
            .object([:]), .object(["brokerTokenResponse": .object([:])]),
            .object(["brokerTokenResponse": .string("x")]),
            .object(["accounts": .string("x"), "cookieItems": .string("x")]),
            .object(["cookieItems": .array([.integer(1)])]),
        ]
        for value in values {
            let failure = try await failure([.json(value)], of: method)
            #expect(failure?.kind == .unreadable)
        }
    }

    @Test func `a version that is not readable is ignored`() async throws {
        let versions: [JSONValue] = [
            .integer(3), .string(""), .string("3\u{1B}[2J"), .string(String(repeating: "9", count: 99)),
        ]
        for version in versions {
            let bus = try FakeBroker([.version: [.json(.object(["linuxBrokerVersion": version]))]]).bus()
            let information = try await BusBroker(bus).information(correlationID: BrokerSample.correlationID)
            #expect(information == BrokerInformation(version: nil, dialect: .unknown))
        }
    }

    @Test func `a cookie that could inject a header is rejected`() async throws {
        let pairs = [
            ("a b", "x"), ("a:", "x"), ("a", "x\r\nSet-Cookie: y"), ("a", "x;y"), ("a", ""), ("", "x"), ("a", "é"),
        ]
        for (name, content) in pairs {
            let item: [String: JSONValue] = ["cookieName": .string(name), "cookieContent": .string(content)]
            for value in [JSONValue.object(item), .object(["cookieItems": .array([.object(item)])])] {
                let failure = try await failure([.json(value)], of: .cookie)
                #expect(failure?.kind == .unreadable)
            }
        }
    }
}
