// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

@testable import MSAL

/// The calls of `msal doctor --broker`, and what it keeps of the responses (docs/reference/Broker.md#report).
struct BrokerObservationTests {
    private func report(clientID: String = BrokerSample.clientID) throws -> BrokerReportRequest {
        BrokerReportRequest(
            clientID: clientID,
            authority: try #require(URL(string: "https://login.microsoftonline.com/common")),
            scopes: ["User.Read"],
            correlationID: BrokerSample.correlationID
        )
    }

    @Test func `methods that open a window, sign out or cancel are not called`() async throws {
        let broker = FakeBroker([
            .version: [.json(.object(["linuxBrokerVersion": .string("3.0.1")]))],
            .accounts: [.json(.object(["accounts": .array([.object(try BrokerSample.knownAccount().members)])]))],
            .tokenSilently: [
                .error("org.freedesktop.DBus.Error.Failed", text: "Invalid request for user megan!"),
                .json(BrokerSample.token()),
            ],
            .cookie: [.text("")],
        ])

        // The bus ends with its object.
        let bus = try broker.bus()
        let observations = await BusBroker(bus).observations(try report())
        withExtendedLifetime(bus) {}

        #expect(observations.map(\.method) == broker.members)
        #expect(
            Set(broker.members).isDisjoint(with: [
                "acquireTokenInteractively", "removeAccount", "cancelInteractiveFlow",
            ])
        )
        #expect(
            observations.map(\.outcome).prefix(3) == [
                .response, .response, .busError(name: "org.freedesktop.DBus.Error.Failed"),
            ]
        )
        #expect(observations.map(\.meaning).prefix(4) == [nil, nil, .unknownAccount, nil])
        #expect(!"\(observations)".contains("megan"))
        #expect(!"\(observations)".contains("secret"))
    }

    @Test func `without a client ID only the version is requested`() async throws {
        let broker = FakeBroker([.version: [.json(.object(["linuxBrokerVersion": .string("3.0.1")]))]])

        // The bus ends with its object.
        let bus = try broker.bus()
        let observations = await BusBroker(bus).observations(try report(clientID: ""))
        withExtendedLifetime(bus) {}

        #expect(observations.map(\.method) == [IdentityBrokerMethod.version.rawValue])
        #expect(broker.members == observations.map(\.method))
    }

    @Test func `a machine without a broker has nothing to report`() async throws {
        let broker = BusBroker(environment: [:], time: ManualTime()) {}

        #expect(await broker.observations(try report()).isEmpty)
    }
}
