// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// Failures apart from responses: bus errors, and brokers that report failures as such
/// (docs/reference/Broker.md#errors).
struct BrokerBusErrorTests {
    private static let prefix = "org.freedesktop.DBus.Error."

    @Test(arguments: [
        ("UnknownMethod", BrokerFailure.Kind.unsupported), ("UnknownInterface", .unsupported),
        ("NotSupported", .unsupported),
        ("InvalidArgs", .invalidRequest), ("LimitsExceeded", .temporary), ("NoReply", .unreachable),
        ("Timeout", .unreachable), ("TimedOut", .unreachable), ("Disconnected", .unreachable),
        ("ServiceUnknown", .unreachable), ("UnknownObject", .unreachable), ("AccessDenied", .absent),
        ("SomethingNew", .unexpected),
    ])
    func `each error of the bus has its kind, for every method`(name: String, kind: BrokerFailure.Kind) async throws {
        for method in IdentityBrokerMethod.allCases where ![.cancellation, .signedRequest].contains(method) {
            let bus = try FakeBroker([method: [.error(Self.prefix + name, text: "Words.")]]).bus()
            let failure = try #require(try await BusBroker(bus).failure(of: method))
            #expect(failure.kind == kind)
            #expect(failure.message.contains(name))
            #expect(failure.message.contains("Words."))
        }
    }

    @Test(arguments: [
        ("Missing account username in request", BrokerFailure.Kind.accountNeeded), ("Not implemented", .unsupported),
        ("No interactive prompt available: no graphical session or pinentry binary found", .unsupported),
        ("broker socket connect: No such file or directory", .unreachable),
        ("Invalid request for user!", .unknownAccount),
        ("Failed to authenticate user", .interactionRequired),
    ])
    func `Himmelblau's texts have their kinds`(words: String, kind: BrokerFailure.Kind) async throws {
        for method in [IdentityBrokerMethod.tokenSilently, .tokenInteractively, .cookie] {
            let bus = try FakeBroker([method: [.error(Self.prefix + "Failed", text: words)]]).bus()
            let failure = try await BusBroker(bus).failure(of: method)
            #expect(failure?.kind == kind)
        }
    }

    @Test func `any other failure of Himmelblau requires interaction in a silent call only`() async throws {
        for (method, kind) in [
            (IdentityBrokerMethod.tokenSilently, BrokerFailure.Kind.interactionRequired), (.removal, .unexplained),
            (.tokenInteractively, .unexplained),
        ] {
            let bus = try FakeBroker([method: [.error(Self.prefix + "Failed", text: "PRT is gone")]]).bus()
            let failure = try await BusBroker(bus).failure(of: method)
            #expect(failure?.kind == kind)
        }
    }

    @Test func `a broker that has its name but not yet its object is called again, with pauses`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let early = FakeBroker.Reply.error(Self.prefix + "UnknownObject")
        let broker = FakeBroker([.tokenInteractively: [early, early, .json(BrokerSample.token())]])
        let bus = try broker.bus()

        _ = try await BusBroker(bus, time: time).tokenInteractively(BrokerSample.request())

        #expect(broker.calls.count == 3)
        #expect(time.sleeps == [.milliseconds(50), .milliseconds(100)])
    }

    @Test func `a broker that never gets its object ends the call after six attempts`() async throws {
        let broker = FakeBroker([.tokenSilently: [.error(Self.prefix + "UnknownObject")]])
        let bus = try broker.bus()

        let failure = try await BusBroker(bus).failure(of: .tokenSilently)

        #expect(failure?.kind == .unreachable)
        #expect(broker.calls.count == 6)
    }

    @Test(arguments: ["NoReply", "Timeout", "Disconnected"])
    func `a silent call is repeated once if the broker was lost, and an interactive one is not`(
        _ name: String
    ) async throws {
        let lost = FakeBroker.Reply.error(Self.prefix + name)
        let broker = FakeBroker([
            .tokenSilently: [lost, .json(BrokerSample.token())],
            .tokenInteractively: [lost, .json(BrokerSample.token())],
        ])
        let bus = try broker.bus()

        let silent = try await BusBroker(bus).failure(of: .tokenSilently)
        let interactive = try await BusBroker(bus).failure(of: .tokenInteractively)

        #expect(silent == nil)
        #expect(interactive?.kind == .unreachable)
        #expect(broker.members.count { $0 == "acquireTokenSilently" } == 2)
        #expect(broker.members.count { $0 == "acquireTokenInteractively" } == 1)
    }
}
