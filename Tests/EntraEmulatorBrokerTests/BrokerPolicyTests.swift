// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import Testing

@testable import EntraEmulatorBroker

/// The directory's policies apply to a device's tokens, as to those of every client.
@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct BrokerPolicyTests {
    @Test func `without consent the user is required`() async throws {
        try await Desktop.with { desktop in
            let response = try await desktop.silently()

            #expect(response.status == 2)
            #expect(response.context.contains("AADSTS65001"))
            #expect(response.context.contains("suberror: 'consent_required'"))
            #expect(response["error"]?["diagnostics"] == .null)
        }
    }

    @Test func `the early broker returns the service's error in addition to the text`() async throws {
        try await Desktop.with(.early) { desktop in
            let response = try await desktop.silently()

            #expect(response.status == 2)
            #expect(response["error"]?["diagnostics"]?["raw_error_code"]?.nonEmptyString == "invalid_grant")
            #expect(response["error"]?["diagnostics"]?["oauth2_sub_error_code"]?.nonEmptyString == "consent_required")
            #expect(response["error"]?["tag"]?.int == 0)
            #expect(response["expiresOn"]?.int == 0)
        }
    }

    @Test(arguments: [BrokerMethod.acquireTokenSilently, .acquireTokenInteractively])
    func `an unregistered redirect URI is a configuration error`(_ method: BrokerMethod) async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let request = desktop.tokenRequest(account, changes: ["redirectUri": "https://app.contoso.example/x"])
            let response = try await desktop.ask(method, request)["brokerTokenResponse"]

            #expect(response?.status == 9)
            #expect(response?.context.contains("AADSTS50011") == true)
        }
    }

    @Test(arguments: [BrokerMethod.acquireTokenSilently, .acquireTokenInteractively])
    func `an unregistered app is a configuration error`(_ method: BrokerMethod) async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let request = desktop.tokenRequest(account, clientID: "00000000-0000-4000-8000-00000000ffff")
            let response = try await desktop.ask(method, request)["brokerTokenResponse"]

            #expect(response?.status == 9)
            #expect(response?.context.contains("AADSTS700016") == true)
        }
    }

    @Test func `a foreign authority is not trusted`() async throws {
        try await Desktop.with { desktop in
            let response = try await desktop.silently(changes: ["authority": "https://login.evil.example/common"])

            #expect(response.status == 11)
            #expect(desktop.emulator.journal.isEmpty)
        }
    }

    @Test func `a revoked sign-in requires the user, who signs in again in the window`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            _ = try await desktop.interactively(account: account)
            await desktop.emulator.advanceClock(by: .seconds(60))
            try await desktop.emulator.revokeSignIns(of: "megan@contoso.example")

            #expect(try await desktop.silently().status == 2)
            await desktop.emulator.advanceClock(by: .seconds(60))
            #expect(try await desktop.interactively(account: account)["accessToken"]?.nonEmptyString != nil)
            #expect(try await desktop.silently()["accessToken"]?.nonEmptyString != nil)
        }
    }

    @Test func `an app that wants a second factor opens the window once`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let scope = desktop.emulator.seed.vaultScope
            let request = desktop.tokenRequest(account, scope: scope)
            let before = try await desktop.ask(.acquireTokenSilently, request)["brokerTokenResponse"]
            let window = try await desktop.ask(.acquireTokenInteractively, request)["brokerTokenResponse"]
            let after = try await desktop.ask(.acquireTokenSilently, request)["brokerTokenResponse"]

            #expect(before?.status == 2)
            #expect(window?["accessToken"]?.nonEmptyString != nil)
            #expect(after?["accessToken"]?.nonEmptyString != nil)
        }
    }

    @Test func `an authentication context is satisfied at the window`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let claims: JSONValue = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
            // The window gives consent and a second factor. A new sign-in to the device has no second factor.
            _ = try await desktop.interactively(account: account)
            try await desktop.broker.signIn(as: "megan@contoso.example")
            let plain = try await desktop.silently()
            let before = try await desktop.silently(changes: ["decodedClaims": claims])
            let window = try await desktop.interactively(changes: ["decodedClaims": claims], account: account)

            #expect(plain["accessToken"]?.nonEmptyString != nil)
            #expect(before.status == 2)
            #expect(window["accessToken"]?.claims?["acrs"] == .array(["c1"]))
        }
    }

    @Test func `the device is compliant, and a policy that blocks holds for it, too`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            _ = try await desktop.interactively(account: account)
            try await desktop.emulator.changeDirectory {
                $0.policies.append(.init(name: "Devices", grant: [.compliantDevice]))
            }
            let compliant = try await desktop.silently()
            let decision = try #require(desktop.emulator.signIns.last)
            try await desktop.emulator.changeDirectory { $0.policies.append(.init(name: "Never", grant: [.block])) }
            let blocked = try await desktop.silently()

            #expect(compliant["accessToken"]?.nonEmptyString != nil)
            #expect(decision.outcomes.map(\.policy) == ["Devices"])
            #expect(decision.outcomes.map(\.isSatisfied) == [true])
            #expect(blocked.status == 2)
            #expect(blocked.context.contains("AADSTS53003"))
        }
    }

    @Test func `a fault of the service reaches the app as a temporary failure`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            _ = try await desktop.interactively(account: account)
            desktop.emulator.enqueueFault(Fault(refusal: .temporarilyUnavailable))

            #expect(try await desktop.silently().status == 5)
        }
    }

    @Test func `two apps share one sign-in of the device`() async throws {
        try await Desktop.with { desktop in
            let apps = [desktop.emulator.seed.clientID, desktop.emulator.seed.tutorialClientID]
            for app in apps {
                let account = try await desktop.accounts(of: app).first
                let request = desktop.tokenRequest(account, clientID: app)
                let response = try await desktop.ask(.acquireTokenInteractively, request)["brokerTokenResponse"]
                #expect(response?["idToken"]?.claims?["aud"]?.nonEmptyString == app)
            }
            #expect(!desktop.emulator.journal.contains { $0.path.hasSuffix("/authorize") })
        }
    }

    @Test func `a device that left its tenant gives no tokens`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            desktop.broker.leaveTenant()
            let response = try await desktop.ask(.acquireTokenSilently, desktop.tokenRequest(account))
            let version = try await desktop.ask(.getLinuxBrokerVersion, ["msalCppVersion": "1"])

            #expect(response["brokerTokenResponse"]?.status == 17)
            #expect(version["deviceInfo"] == ["mode": "personal", "registered": false])
            #expect(try await desktop.accounts().isEmpty)
        }
    }

    @Test func `a bound token signs the request that it is for`() async throws {
        try await Desktop.with(configure: { $0.supportsProofOfPossession = true }) { desktop in
            let account = try await desktop.accounts().first
            let host = try #require(desktop.emulator.baseURL.host())
            // In the format of Microsoft's client.
            let proof: JSONValue = [
                "clientClaims": "", "homeAccountId": "", "httpMethod": "GET", "nonce": "n-1",
                "uriHost": .string("\(host):\(desktop.emulator.port)"), "uriPath": "/v1.0/me",
            ]
            let response = try await desktop.interactively(changes: ["popParams": proof], account: account)

            let claims = try #require(response["accessToken"]?.claims)
            #expect(response["accessTokenType"]?.int == 1)
            #expect(claims["p"]?.nonEmptyString == "/v1.0/me")
            #expect(claims["at"]?.claims?["cnf"]?["kid"] == claims["cnf"]?["jwk"]?["kid"])
        }
    }

    @Test func `the request of a proof may name a host, or the whole address`() throws {
        let whole: JSONValue = ["authenticationScheme": "PoP", "uriHost": "https://api.contoso.example:8443/orders"]
        let parts: JSONValue = [
            "authenticationScheme": "pop", "uriHost": "api.contoso.example:8443", "uriPath": "/orders",
        ]
        for members in [whole, parts] {
            let proof = try #require(ProofParameters(members))
            #expect(proof.host == "api.contoso.example:8443")
            #expect(proof.path == "/orders")
        }
        #expect(ProofParameters(["authenticationScheme": "bearer", "uriHost": "h"]) == nil)
        #expect(ProofParameters(.null) == nil)
    }

    @Test func `a broker that binds nothing gives a bearer token`() async throws {
        try await Desktop.with { desktop in
            let account = try await desktop.accounts().first
            let proof: JSONValue = ["authenticationScheme": "PoP", "httpMethod": "GET", "uriHost": "h", "uriPath": "/"]
            let response = try await desktop.interactively(changes: ["popParams": proof], account: account)

            #expect(response["accessTokenType"]?.int == 0)
        }
    }
}
