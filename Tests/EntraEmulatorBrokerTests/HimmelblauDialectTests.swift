// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import Foundation
import MSALBase
import TestSupport
import Testing

@testable import EntraEmulatorBroker

/// The double in Himmelblau's dialect, compared with what is known of Himmelblau (`Tests/Fixtures/Himmelblau`).
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct HimmelblauDialectTests {
    @Test func `each failure of the double is the referee's, in its form`() throws {
        let referee = try HimmelblauReferee.read()

        for failure in HimmelblauFailure.allCases {
            let form = failure.isBusError ? "busError" : "response"
            #expect(referee.failures.contains { $0.text == failure.rawValue && $0.form == form }, "\(failure)")
        }
        #expect(referee.failures.allSatisfy { referee.sources[$0.seen]?.revision.count == 40 })
    }

    /// The error in a response; the text of an error of the bus; `nil` for none.
    private func failure(
        _ desktop: Desktop,
        _ method: BrokerMethod,
        _ request: JSONValue
    ) async throws -> (json: JSONValue?, bus: String?) {
        do {
            let response = try await desktop.ask(method, request)
            return ((method.givesToken ? response["brokerTokenResponse"] : response)?["error"], nil)
        } catch let error as DBusError {
            #expect(error.kind == .remote(name: "org.freedesktop.DBus.Error.Failed"))
            return (nil, error.foreignText)
        }
    }

    private func refusal(_ text: String) -> JSONValue {
        ["context": .string(text), "status": 0, "subStatus": 0]
    }

    @Test func `the daemon's refusals are responses with status 0`() async throws {
        try await Desktop.with(.himmelblau) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let stranger = account.adding(["username": "alex@contoso.example"])
            let requests: [(BrokerMethod, JSONValue, String)] = [
                (.acquireTokenSilently, desktop.tokenRequest(account), "Failed to authenticate user"),
                (.acquireTokenSilently, desktop.tokenRequest(stranger), "Invalid request for user!"),
                (.acquireTokenSilently, desktop.tokenRequest(nil), "Missing account"),
                (.acquirePrtSsoCookie, ["account": stranger], "Invalid request for user!"),
            ]
            for (method, request, text) in requests {
                #expect(try await failure(desktop, method, request).json == refusal(text), "\(text)")
            }
            desktop.broker.signOut()
            let none = try await failure(desktop, .getAccounts, [:])
            #expect(none.json == refusal("Unable to find account"))
            #expect(desktop.broker.calls.last?.outcome == .status(0))
        }
    }

    @Test func `an interactive call needs the account, and asks its user each time`() async throws {
        try await Desktop.with(.himmelblau) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let hint = desktop.tokenRequest(nil, changes: ["username": "megan@contoso.example", "account": .null])
            #expect(
                try await failure(desktop, .acquireTokenInteractively, hint).bus
                    == "Missing account username in request"
            )

            let token = try await desktop.interactively(account: account)["accessToken"]?.nonEmptyString
            desktop.broker.window = .closed
            let request = desktop.tokenRequest(account)
            let closed = try await failure(desktop, .acquireTokenInteractively, request)

            #expect(token != nil)
            #expect(closed.bus == "Interactive authentication failed: PAM_CRED_INSUFFICIENT")
            #expect(try await desktop.silently()["accessToken"]?.nonEmptyString != nil)
        }
    }

    @Test func `every status that a fault asks for is 0, with its text`() async throws {
        try await Desktop.with(.himmelblau) { desktop in
            desktop.broker.fail(.status(16, context: "as asked"), of: .acquireTokenSilently)
            let account = try await desktop.accounts().first
            let request = desktop.tokenRequest(account)

            #expect(try await failure(desktop, .acquireTokenSilently, request).json == refusal("as asked"))
        }
    }

    @Test func `the account beside a cookie has no name`() async throws {
        try await Desktop.with(.himmelblau) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let response = try await desktop.ask(.acquirePrtSsoCookie, ["account": account])

            #expect(response["account"]?["username"]?.nonEmptyString == "megan@contoso.example")
            for member in ["name", "givenName", "passwordExpiry"] { #expect(response["account"]?[member] == nil) }
        }
    }
}
