// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

@testable import EntraEmulatorBroker

/// Clients that call a broker with the client ID of Microsoft Edge.
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct PreconsentedClientTests {
    @Test(arguments: BrokerDialect.allCases)
    func `a client without its own ID gets a token immediately`(_ dialect: BrokerDialect) async throws {
        var directory = EmulatorDirectory.seed
        directory.addBrokerClient()
        try await Desktop.with(dialect, directory: directory) { desktop in
            let response = try await desktop.silently(
                clientID: EmulatorDirectory.brokerClientID,
                scope: "https://graph.microsoft.com/.default"
            )

            #expect(response["accessToken"]?.claims?["appid"]?.nonEmptyString == EmulatorDirectory.brokerClientID)
            #expect(response["grantedScopes"]?.nonEmptyString?.contains("User.Read") == true)
        }
    }

    @Test func `a directory that has the client keeps its own`() {
        var directory = EmulatorDirectory.seed
        directory.addBrokerClient()
        let count = directory.applications.count
        directory.applications[count - 1].displayName = "Ours"

        directory.addBrokerClient()

        #expect(directory.applications.count == count && directory.applications.last?.displayName == "Ours")
    }
}
