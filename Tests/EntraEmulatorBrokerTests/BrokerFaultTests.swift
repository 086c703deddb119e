// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import Foundation
import MSALBase
import Testing

@testable import EntraEmulatorBroker

/// The faults of the double on request, and the calls that it rejects.
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct BrokerFaultTests {
    private static let version: JSONValue = ["msalCppVersion": "1"]

    @Test func `a broker that is starting has no object`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.fail(.startUpRace, times: 2)
            for _ in 0..<2 {
                let name = try await desktop.errorName(.getLinuxBrokerVersion, Self.version)
                #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
            }
            #expect(try await desktop.errorName(.getLinuxBrokerVersion, Self.version) == nil)
        }
    }

    @Test func `a broker that crashes sends no response, and is started again`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.fail(.death, of: .getAccounts)
            let name = try await desktop.errorName(.getAccounts, ["clientId": "c", "redirectUri": "r"])

            #expect(name == "org.freedesktop.DBus.Error.NoReply")
            while try await desktop.errorName(.getLinuxBrokerVersion, Self.version) != nil {}
        }
    }

    @Test func `texts can be invalid responses`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.fail(.emptyResponse)
            desktop.broker.fail(.html)
            desktop.broker.fail(.deep(levels: 1_000))
            let texts = [
                try await desktop.text(.getAccounts, [:]), try await desktop.text(.getAccounts, [:]),
                try await desktop.text(.getAccounts, [:]),
            ]

            #expect(texts[0].isEmpty)
            #expect(texts[1].hasPrefix("<!DOCTYPE html>"))
            #expect(texts[2].count { $0 == "{" } == 1_001)
        }
    }

    @Test func `a response that is too long for a client`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.fail(.huge())

            await #expect(throws: DBusError.self) { try await desktop.text(.getLinuxBrokerVersion, Self.version) }
        }
    }

    @Test func `numbers can be strings, and milliseconds can be seconds`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            _ = try await desktop.interactively(account: account)
            desktop.broker.fail(.numbersAsText, of: .acquireTokenSilently)
            desktop.broker.fail(.secondsForMilliseconds, of: .acquireTokenSilently)
            let texts = try await desktop.silently()
            let seconds = try await desktop.silently()

            #expect(texts["accessTokenType"]?.nonEmptyString == "0")
            #expect(seconds["expiresOn"] == seconds["accessToken"]?.claims?["exp"])
        }
    }

    @Test func `tokens can be those of another user, or of another app`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            _ = try await desktop.interactively(account: account)
            desktop.broker.fail(.otherAccount, of: .acquireTokenSilently)
            desktop.broker.fail(.otherClient, of: .acquireTokenSilently)
            let person = try await desktop.silently()
            let app = try await desktop.silently()

            #expect(person["account"]?["homeAccountId"]?.nonEmptyString != desktop.megan)
            #expect(person["idToken"]?.claims?["oid"]?.nonEmptyString != desktop.emulator.seed.megan.objectID)
            #expect(app["idToken"]?.claims?["aud"]?.nonEmptyString != desktop.emulator.seed.clientID)
        }
    }

    @Test func `every status, and errors of the bus`() async throws {
        try await Desktop.with { desktop in
            for status in 0...22 {
                desktop.broker.fail(.status(status, context: "as asked", tag: 7), of: .acquireTokenSilently)
                let response = try await desktop.silently()
                #expect(response.status == status)
                #expect(response["error"]?["tag"]?.int == 7)
            }
            desktop.broker.fail(.busError("org.freedesktop.DBus.Error.AccessDenied"))
            let name = try await desktop.errorName(.getAccounts, [:])
            #expect(name == "org.freedesktop.DBus.Error.AccessDenied")
        }
    }

    @Test func `the client gives up on a hanging broker`() async throws {
        try await Desktop.with { desktop in
            desktop.broker.fail(.hang)
            let deadline = Deadline(after: .seconds(60))
            let connection = try BusConnection.session(desktop.broker.environment, until: deadline)
            let call = BusCall(
                to: try connection.startedProgram(named: BrokerAddress.name, until: deadline),
                at: BrokerAddress.path,
                interface: BrokerAddress.interface,
                member: "getAccounts",
                arguments: ["0.0", "", "{}"].map(DBusValue.string)
            )
            let broker = desktop.broker

            // The client gives up once the broker has received the call.
            #expect(throws: DBusError.self) {
                try connection.call(call, until: Deadline(after: .seconds(60)) { broker.calls.count == 1 })
            }
            #expect(desktop.broker.calls.last?.outcome == .fault)
        }
    }

    @Test func `invalid calls are rejected with the error names that libraries use`() async throws {
        try await Desktop.with { desktop in
            func refusal(
                _ member: String = "getAccounts",
                of interface: String = BrokerAddress.interface,
                at path: String = BrokerAddress.path,
                arguments: [String] = ["0.0", "", "{}"]
            ) async throws -> String? {
                do {
                    let arguments = arguments.map(DBusValue.string)
                    _ = try await desktop.send(member, of: interface, at: path, arguments: arguments)
                    return nil
                } catch let error as DBusError {
                    guard case .remote(let name) = error.kind else { return "\(error.kind)" }
                    return name.split(separator: ".").last.map(String.init)
                }
            }

            let refusals = [
                try await refusal(at: "/com/microsoft/other"),
                try await refusal(of: "com.microsoft.identity.broker1"),
                try await refusal("signOut"),
                try await refusal(arguments: ["0.0"]),
                // Microsoft's client calls it first.
                try await refusal("Ping", of: "org.freedesktop.DBus.Peer", arguments: []),
            ]

            #expect(refusals == ["UnknownObject", "UnknownInterface", "UnknownMethod", "InvalidArgs", nil])
        }
    }

    @Test func `invalid requests break the contract`() async throws {
        try await Desktop.with { desktop in
            let requests: [(BrokerMethod, JSONValue)] = [
                (.getLinuxBrokerVersion, [:]), (.getAccounts, ["clientId": "c"]), (.getAccounts, "no object"),
                (.acquireTokenSilently, [:]), (.acquireTokenSilently, ["authParameters": ["clientId": "c"]]),
                (.acquirePrtSsoCookie, [:]), (.removeAccount, ["clientId": "c"]),
            ]
            for (method, request) in requests {
                let response = try await desktop.ask(method, request)
                #expect((response["brokerTokenResponse"] ?? response).status == 6, "\(method)")
            }
        }
    }

    @Test func `another broker on the same bus is refused`() async throws {
        try await Desktop.with { desktop in
            var configuration = EmulatedBroker.Configuration()
            configuration.sessionBus = desktop.broker.environment
            let settings = configuration

            await #expect(throws: BrokerStartFailure.self) {
                try await EmulatedBroker.start(for: desktop.emulator, settings)
            }
        }
    }

    @Test func `the bus ends with the double`() async throws {
        let address = try await Desktop.with { desktop in desktop.broker.environment }

        #expect(throws: DBusError.self) {
            try BusConnection.session(address, until: Deadline(after: .seconds(20)))
        }
    }

    @Test func `the journal has no secrets`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let token = try await desktop.interactively(account: account)["accessToken"]?.nonEmptyString ?? ""
            _ = try await desktop.silently(changes: ["accessTokenToRenew": .string(token)])

            let call = try #require(desktop.broker.calls.last)
            #expect(call.renewsToken)
            #expect(call.outcome == .success)
            #expect(call.homeAccountID == desktop.megan)
            let lines = desktop.emulator.journal.map { "\($0)" } + desktop.broker.calls.map { "\($0)" }
            #expect(!lines.contains { $0.contains("eyJ") })
        }
    }
}
