// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import Foundation
import MSALBase
import Testing

@testable import EntraEmulatorBroker

@Suite(.enabled(if: Desktop.hasBus, "dbus-daemon is not installed"))
struct BrokerMethodTests {
    typealias Dialect = EntraEmulatorBroker.BrokerDialect

    /// The members without which siemens/sso-mib rejects an account.
    private static let accountMembers = [
        "environment", "givenName", "homeAccountId", "localAccountId", "name", "realm", "username",
    ]

    @Test(arguments: Dialect.allCases)
    func `the version is the dialect's, with the state of the device`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect) { desktop in
            let response = try await desktop.ask(.getLinuxBrokerVersion, ["msalCppVersion": "1.0"])

            #expect(response["linuxBrokerVersion"]?.nonEmptyString == dialect.version)
            guard dialect != .himmelblau else {
                #expect(response["deviceInfo"] == nil)
                return
            }
            #expect(response["deviceInfo"]?["mode"]?.nonEmptyString == "personal")
            #expect(response["deviceInfo"]?["registered"] == true)
            #expect(response["deviceInfo"]?["tenantId"]?.nonEmptyString == desktop.emulator.seed.tenantID)
        }
    }

    @Test(arguments: Dialect.allCases)
    func `accounts have every member that clients need`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect) { desktop in
            let account = try #require(try await desktop.accounts().first)

            for member in Self.accountMembers { #expect(account[member]?.nonEmptyString != nil, "\(member)") }
            #expect(account["passwordExpiry"]?.int == 0)
            #expect(account["homeAccountId"]?.nonEmptyString == desktop.megan)
            // Not under Microsoft's names, because the emulator has a different port.
            #expect(account["environment"]?.nonEmptyString == "localhost:\(desktop.emulator.port)")
            for member in ["clientInfo", "familyName"] {
                #expect((account[member] == nil) == (dialect == .himmelblau), "\(member)")
            }
            #expect(account["givenName"]?.nonEmptyString == (dialect == .himmelblau ? "Megan Bowen" : "Megan"))
        }
    }

    @Test(arguments: Dialect.allCases)
    func `a device that is signed in gives a token after consent`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let first = try await desktop.interactively(account: account)
            let second = try await desktop.silently()

            for response in [first, second] {
                let access = try #require(response["accessToken"]?.claims)
                #expect(access["appid"]?.nonEmptyString == desktop.emulator.seed.clientID)
                #expect(access["oid"]?.nonEmptyString == desktop.emulator.seed.megan.objectID)
                #expect(response["idToken"]?.claims?["aud"]?.nonEmptyString == desktop.emulator.seed.clientID)
                #expect(response["accessTokenType"]?.int == 0)
                #expect(response["clientInfo"]?.nonEmptyString != nil)
                #expect(response["grantedScopes"]?.nonEmptyString?.contains("User.Read") == true)
                let expiry = try #require(response["expiresOn"]?.int)
                #expect(expiry / 1000 == access["exp"]?.int)
                #expect((response["account"] == nil) == (dialect == .himmelblau))
                let extended = try #require(response["extendedExpiresOn"]?.int)
                #expect((extended < 100_000_000_000) == (dialect == .himmelblau))
            }
            #expect(first["accessToken"]?.claims?["uti"] != second["accessToken"]?.claims?["uti"])
        }
    }

    @Test(arguments: Dialect.allCases)
    func `a cookie has the form of the dialect`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let url: JSONValue = "https://login.microsoftonline.com/"
            let request: JSONValue = [
                "account": account, "ssoUrl": url, "mamEnrollment": false,
                "authParameters": ["account": account, "authorizationType": 8, "ssoUrl": url],
            ]
            let response = try await desktop.ask(.acquirePrtSsoCookie, request)

            let item = dialect == .current ? response["cookieItems"]?.array?.first : response
            #expect(item?["cookieName"]?.nonEmptyString == "x-ms-RefreshTokenCredential")
            #expect(item?["cookieContent"]?.claims?["iat"]?.int != nil)
            #expect((response["cookieContent"] == nil) == (dialect == .current))
        }
    }

    @Test(arguments: Dialect.allCases)
    func `a nonce in the address makes a cookie for one use`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let request: JSONValue = ["account": account, "ssoUrl": "https://login.microsoftonline.com/?sso_nonce=abc"]
            let response = try await desktop.ask(.acquirePrtSsoCookie, request)

            let claims = (response["cookieItems"]?.array?.first ?? response)["cookieContent"]?.claims
            #expect(claims?["request_nonce"]?.nonEmptyString == "abc")
            #expect(claims?["iat"] == nil)
        }
    }

    @Test(arguments: Dialect.allCases)
    func `three methods are not implemented by one dialect`(_ dialect: Dialect) async throws {
        try await Desktop.with(dialect, configure: { $0.supportsProofOfPossession = true }) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let proof: JSONValue = [
                "homeAccountId": account["homeAccountId"] ?? .null, "httpMethod": "GET", "nonce": "n",
                "uriHost": "api.contoso.example", "uriPath": "/orders",
            ]
            let clientID = JSONValue.string(desktop.emulator.seed.clientID)
            let requests: [(BrokerMethod, JSONValue)] = [
                (.generateSignedHttpRequest, ["clientId": clientID, "popParams": proof]),
                (.cancelInteractiveFlow, [:]),
                (.removeAccount, ["clientId": clientID, "account": account]),
            ]
            for (method, request) in requests {
                guard dialect == .himmelblau else {
                    #expect(try await desktop.ask(method, request)["error"] == nil, "\(method)")
                    continue
                }
                let response = try await desktop.ask(method, request)
                #expect(
                    response == ["error": ["context": "Not implemented", "status": 0, "subStatus": 0]],
                    "\(method)"
                )
            }
            #expect(try await desktop.accounts().isEmpty == (dialect != .himmelblau))
        }
    }

    @Test func `an account that one app removes stays for others`() async throws {
        try await Desktop.with { desktop in
            let account = try #require(try await desktop.accounts().first)
            let clientID = desktop.emulator.seed.clientID
            _ = try await desktop.ask(.removeAccount, ["clientId": .string(clientID), "account": account])

            #expect(try await desktop.accounts().isEmpty)
            #expect(try await desktop.accounts(of: desktop.emulator.seed.tutorialClientID).count == 1)
            let request = desktop.tokenRequest(account)
            #expect(try await desktop.ask(.acquireTokenSilently, request)["brokerTokenResponse"]?.status == 19)
            #expect(try await desktop.interactively(account: account)["accessToken"]?.nonEmptyString != nil)
            #expect(try await desktop.accounts().count == 1)
        }
    }

    @Test func `an account that an app removes from a shared device is gone for all`() async throws {
        try await Desktop.with(configure: { $0.isShared = true }) { desktop in
            let account = try #require(try await desktop.accounts().first)
            let clientID = JSONValue.string(desktop.emulator.seed.clientID)
            let version = try await desktop.ask(.getLinuxBrokerVersion, ["msalCppVersion": "1"])
            _ = try await desktop.ask(.removeAccount, ["clientId": clientID, "account": account])

            #expect(version["deviceInfo"]?["mode"]?.nonEmptyString == "shared")
            #expect(try await desktop.accounts(of: desktop.emulator.seed.tutorialClientID).isEmpty)
        }
    }

    @Test func `Microsoft's current broker has no introspection, the others do`() async throws {
        for dialect in Dialect.allCases {
            try await Desktop.with(dialect) { desktop in
                let text = try? await desktop.send("Introspect", of: "org.freedesktop.DBus.Introspectable").first?
                    .string
                #expect((text?.contains("acquirePrtSsoCookie") ?? false) == (dialect != .current))
            }
        }
    }

    @Test func `one dialect names itself to the log's interface`() async throws {
        try await Desktop.with(.himmelblau) { desktop in
            let values = try await desktop.send(
                "Get",
                of: "org.freedesktop.DBus.Properties",
                at: "/org/freedesktop/LogControl1",
                arguments: [.string("org.freedesktop.LogControl1"), .string("SyslogIdentifier")]
            )

            #expect(values == [.variant(.string("himmelblau_broker"))])
        }
    }
}
