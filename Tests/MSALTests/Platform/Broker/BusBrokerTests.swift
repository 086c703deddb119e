// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import MSALCore
import TestSupport
import Testing

@testable import MSAL

/// Every method over a bus: the request, and how the response of each dialect is read.
struct BusBrokerTests {
    private let account = BrokerSample.account

    // MARK: - Requests

    @Test func `a call names the interface, a protocol version and a correlation ID in lower case`() async throws {
        let broker = FakeBroker([.accounts: [.json(.object(["accounts": .array([])]))]])
        let bus = try broker.bus()

        let accounts = try await BusBroker(bus).accounts(BrokerSample.accountsRequest)

        #expect(accounts.isEmpty)
        let call = try #require(broker.calls.first)
        #expect(call.path == "/com/microsoft/identity/broker1")
        #expect(call.interface == "com.microsoft.identity.Broker1")
        #expect(call.protocolVersion == "0.0")
        #expect(call.correlationID == "0a0a0a0a-1111-4222-8333-444444444444")
        #expect(call.request["clientId"] == .string(BrokerSample.clientID))
        #expect(call.request["redirectUri"] == .string(BrokerSample.clientID))
    }

    @Test func `the owner is found and checked before the broker is called`() async throws {
        let broker = FakeBroker([.version: [.json(.object(["linuxBrokerVersion": .string("3.0.1")]))]])
        let bus = try broker.bus(isRunning: false)
        broker.onCall { [weak bus] _ in
            #expect(
                bus?.state.questions.suffix(5) == [
                    "GetNameOwner", "StartServiceByName", "GetNameOwner", "GetConnectionUnixUser", "AddMatch",
                ]
            )
        }

        _ = try await BusBroker(bus).information(correlationID: BrokerSample.correlationID)

        #expect(broker.members == ["getLinuxBrokerVersion"])
        #expect(broker.calls.first?.request["msalCppVersion"]?.string?.isEmpty == false)
    }

    @Test func `a broker that runs and that the bus could not start is called`() async throws {
        let broker = FakeBroker([.removal: [.json(.object([:]))]])
        let bus = try broker.bus()
        bus.change(isReported: false) { $0.isActivatable = false }

        let failure = try await BusBroker(bus).failure(of: .removal)

        #expect(failure == nil)
        #expect(!bus.state.questions.contains("StartServiceByName"))
    }

    @Test func `a silent request has the unchanged account in its parameters`() async throws {
        let broker = FakeBroker([.tokenSilently: [.json(BrokerSample.token())]])
        let bus = try broker.bus()
        var request = BrokerSample.request(account: try BrokerSample.knownAccount())
        request.claims = .object(["access_token": .object(["xms_cc": .object(["values": .array([.string("cp1")])])])])
        request.accessTokenToRenew = Secret("stale-access-token")
        request.extraQueryParameters = ["mkt": "de"]
        request.prompt = .login

        _ = try await BusBroker(bus).tokenSilently(request)

        let call = try #require(broker.calls.first)
        let parameters = call.object("authParameters")
        #expect(call.request["account"] == nil)
        #expect(parameters["account"] == .object(account))
        #expect(parameters["username"] == .string("megan@contoso.example"))
        #expect(parameters["authorizationType"] == .integer(1))
        #expect(parameters["authority"] == .string("https://login.microsoftonline.com/common"))
        #expect(parameters["clientId"] == .string(BrokerSample.clientID))
        #expect(parameters["redirectUri"] == .string(BrokerRedirect.uri))
        #expect(parameters["requestedScopes"] == .array([.string("User.Read")]))
        #expect(parameters["decodedClaims"] == .string(#"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#))
        let isRenewed = parameters["accessTokenToRenew"] == .string("stale-access-token")
        #expect(isRenewed)
        #expect(parameters["additionalQueryParametersForAuthorization"] == .object(["mkt": .string("de")]))
        #expect(parameters["uxContextHandle"] == .integer(-1))
        #expect(parameters["popParams"] == .null)
        #expect(parameters["password"] == .string(""))
        // The user is not asked, so there is no prompt to choose.
        #expect(parameters["prompt"] == nil)
    }

    @Test func `an interactive request without a user is a sign-in with neither account nor user name`() async throws {
        let broker = FakeBroker([.tokenInteractively: [.json(BrokerSample.token())]])
        let bus = try broker.bus()
        var request = BrokerSample.request()

        _ = try await BusBroker(bus).tokenInteractively(request)
        (request.loginHint, request.prompt) = ("alex@contoso.example", .login)
        _ = try await BusBroker(bus).tokenInteractively(request)

        let (first, second) = (try #require(broker.calls.first), try #require(broker.calls.last))
        let parameters = first.object("authParameters")
        #expect(parameters["account"] == .null && parameters["username"] == .string(""))
        #expect(parameters["isSignIn"] == .bool(true) && parameters["isTestMode"] == .bool(false))
        #expect(parameters["authorizationType"] == .integer(6))
        #expect(parameters["prompt"] == nil)
        #expect(second.object("authParameters")["username"] == .string("alex@contoso.example"))
        #expect(second.object("authParameters")["prompt"] == .string("login"))
    }

    @Test(
        arguments: [
            (nil, 1), ("x11:2a0001", 0x2a0001), ("wayland:abc", 1), ("x11:0", 1), ("x11:123456789", 1),
        ] as [(String?, Int64)]
    )
    func `a window of X11 is named by its number, and another one as in a terminal`(
        handle: String?,
        number: Int64
    ) async throws {
        let broker = FakeBroker([.tokenInteractively: [.json(BrokerSample.token())]])
        let bus = try broker.bus()
        var request = BrokerSample.request(account: try BrokerSample.knownAccount())
        request.parentWindow = handle

        _ = try await BusBroker(bus).tokenInteractively(request)

        let call = try #require(broker.calls.first)
        #expect(call.request["parentWindowHandle"] == .integer(number))
        #expect(call.object("authParameters")["parentWindow"] == .object(["handle": .integer(number)]))
        #expect(call.object("authParameters")["isSignIn"] == nil)
    }

    @Test func `an account that did not come from a broker has the members that brokers require`() async throws {
        let broker = FakeBroker([.removal: [.json(.object([:]))]])
        let bus = try broker.bus()
        let own = BrokerAccount(
            homeAccountID: "\(BrokerSample.uid).\(BrokerSample.utid)",
            environment: "login.microsoftonline.com",
            username: "megan@contoso.example"
        )

        try await BusBroker(bus).remove(own, clientID: BrokerSample.clientID, correlationID: BrokerSample.correlationID)

        let needed = [
            "environment", "givenName", "homeAccountId", "localAccountId", "name", "passwordExpiry", "realm",
            "username",
        ]
        let sent = try #require(broker.calls.first).object("account")
        #expect(Set(needed).isSubset(of: sent.keys))
        #expect(broker.calls.first?.request["clientId"] == .string(BrokerSample.clientID))
    }

    @Test func `a request for a bound token describes the request to be signed`() async throws {
        let broker = FakeBroker([
            .tokenSilently: [.json(BrokerSample.token(["accessTokenType": .integer(1)]))]
        ])
        let bus = try broker.bus()
        var request = BrokerSample.request(account: try BrokerSample.knownAccount())
        request.proof = BrokerSample.proof

        let token = try await BusBroker(bus).tokenSilently(request)

        #expect(token.isBound)
        let expected: [String: JSONValue] = [
            "clientClaims": .string(""), "homeAccountId": .string(""), "httpMethod": .string("GET"),
            "uriHost": .string("api.contoso.example:8443"), "uriPath": .string("/v1/me"),
            "nonce": .string("nonce-of-the-api"),
        ]
        #expect(broker.calls.first?.object("authParameters")["popParams"] == .object(expected))
    }

    // MARK: - The dialects

    @Test(arguments: [
        ("2.0.1", nil, IdentityBrokerDialect.early), ("1.7", nil, .early), ("2.0.2", nil, .current),
        ("3.0.1", nil, .current),
        ("4.0.0", "himmelblau_broker", .himmelblau), ("3.0.1", "another_program", .current), ("47.1", nil, .unknown),
        ("soon", nil, .unknown), ("himmelblau 1.2", nil, .himmelblau),
    ])
    func `the dialect follows from the version and from the name in the log`(
        version: String,
        logName: String?,
        dialect: IdentityBrokerDialect
    ) async throws {
        let response = JSONValue.object(["linuxBrokerVersion": .string(version), "telemetry": .object([:])])
        let bus = try FakeBroker([.version: [.json(response)]], logName: logName).bus()

        let information = try await BusBroker(bus).information(correlationID: BrokerSample.correlationID)

        #expect(information.version == version)
        #expect(information.dialect == dialect)
        #expect(information.device == nil)
    }

    @Test func `the broker's description of the device is read, and each member is optional`() async throws {
        let device = JSONValue.object([
            "mode": .string("shared"), "registered": .bool(true), "deviceId": .string("d"), "tenantId": .string("t"),
            "preferredAuthMethod": .string("qrpin"), "certificateThumbprint": .string("AB"),
        ])
        let broker = FakeBroker([
            .version: [
                .json(.object(["linuxBrokerVersion": .string("3.0.1"), "deviceInfo": device])),
                .json(.object(["deviceInfo": .object(["registered": .string("yes"), "mode": .integer(1)])])),
            ]
        ])
        let bus = try broker.bus()

        let first = try await BusBroker(bus).information(correlationID: BrokerSample.correlationID)
        let second = try await BusBroker(bus).information(correlationID: BrokerSample.correlationID)

        var expected = BrokerDevice()
        (expected.isShared, expected.isRegistered, expected.deviceID, expected.tenantID) = (true, true, "d", "t")
        (expected.preferredAuthMethod, expected.certificateThumbprint) = ("qrpin", "AB")
        #expect(first.device == expected)
        #expect(second.device == BrokerDevice())
        #expect(second.version == nil)
        #expect(second.dialect == .unknown)
    }

    @Test(arguments: [IdentityBrokerDialect.early, .current, .himmelblau])
    func `the cookies of each dialect are read`(_ dialect: IdentityBrokerDialect) async throws {
        let cookie: [String: JSONValue] = [
            "cookieName": .string("x-ms-RefreshTokenCredential"), "cookieContent": .string("cookie-content"),
        ]
        let response: [String: JSONValue] =
            dialect == .current
            ? ["cookieItems": .array([.object(cookie)])] : cookie.merging(["account": .object(account)]) { $1 }
        let broker = FakeBroker([
            .cookie: [.json(.object(response))],
            .accounts: [.json(.object(["accounts": .array([.object(account)])]))],
        ])
        let bus = try broker.bus()

        let named = try await BusBroker(bus).singleSignOnCookies(
            BrokerSample.cookieRequest(account: try BrokerSample.knownAccount())
        )
        let unnamed = try await BusBroker(bus).singleSignOnCookies(BrokerSample.cookieRequest(account: nil))

        let expected = [BrokerCookie(name: "x-ms-RefreshTokenCredential", content: Secret("cookie-content"))]
        #expect(named == expected)
        #expect(unnamed == expected)
        // Himmelblau needs an account, so one is requested from the broker.
        #expect(broker.members == ["acquirePrtSsoCookie", "getAccounts", "acquirePrtSsoCookie"])
        for call in [broker.calls[0], broker.calls[2]] {
            #expect(call.request["ssoUrl"] == .string(BrokerSample.page.absoluteString))
            #expect(call.request["mamEnrollment"] == .bool(false))
            #expect(call.request["account"] == .object(account))
            #expect(call.object("authParameters")["ssoUrl"] == .string(BrokerSample.page.absoluteString))
            #expect(call.object("authParameters")["authorizationType"] == .integer(8))
        }
    }

    @Test(arguments: [IdentityBrokerDialect.early, .current, .himmelblau])
    func `the token of each dialect is read`(_ dialect: IdentityBrokerDialect) async throws {
        // Himmelblau omits the account.
        let changes: [String: JSONValue?] = dialect == .himmelblau ? ["account": nil] : [:]
        let broker = FakeBroker([
            .tokenSilently: [.json(BrokerSample.token(changes))],
            .tokenInteractively: [.json(BrokerSample.token(changes))],
        ])
        let bus = try broker.bus()
        let request = BrokerSample.request(account: try BrokerSample.knownAccount())

        for token in [
            try await BusBroker(bus).tokenSilently(request), try await BusBroker(bus).tokenInteractively(request),
        ] {
            #expect(token.accessToken == Secret("opaque-access-token"))
            #expect(!token.isBound)
            #expect(token.idToken == Secret(BrokerSample.idToken()))
            #expect(token.expiresOn == BrokerSample.expiry)
            #expect(token.scopes == ["User.Read", "profile", "openid"])
            let account = dialect == .himmelblau ? nil : request.account
            #expect(token.account == account)
        }
    }

    @Test func `the accounts are read, and malformed ones are skipped`() async throws {
        func changed(_ changes: [String: JSONValue?]) -> JSONValue {
            var members = account
            for (name, value) in changes { members[name] = value }
            return .object(members)
        }
        let accounts: [JSONValue] = [
            .object(account), changed(["clientInfo": nil, "realm": .string(""), "name": .string("Me\u{1B}[31m")]),
            changed(["homeAccountId": .string("no-dot")]), changed(["homeAccountId": .string("a.b.c")]),
            changed(["homeAccountId": .string("\(BrokerSample.uid).")]), changed(["homeAccountId": nil]),
            changed(["homeAccountId": .string("a\u{7}.b"), "clientInfo": nil]),
            changed(["username": .string("megan\u{1B}[2J")]), changed(["username": nil]),
            changed(["localAccountId": .string("a\nb")]), changed(["realm": .string("a\u{0}b")]),
            changed(["environment": nil]), changed(["environment": .string("evil.example/path")]),
            changed(["clientInfo": .string(BrokerSample.encoded(["uid": .string("x"), "utid": .string("y")]))]),
            .string("account"), .null,
        ]
        let bus = try FakeBroker([.accounts: [.json(.object(["accounts": .array(accounts)]))]]).bus()

        let read = try await BusBroker(bus).accounts(BrokerSample.accountsRequest)

        try #require(read.count == 2)
        #expect(read[0].homeAccountID == "\(BrokerSample.uid).\(BrokerSample.utid)")
        #expect(read[0].localAccountID == BrokerSample.uid)
        #expect(read[0].realm == BrokerSample.utid)
        #expect(read[0].environment == "login.windows.net")
        #expect(read[0].username == "megan@contoso.example")
        #expect(read[0].name == "Megan Bowen")
        #expect(read[0].clientInfo == BrokerSample.clientInfo)
        #expect(read[0].members == account)
        #expect(read[1].realm == nil)
        #expect(read[1].clientInfo == nil)
        // Code that displays a name makes its control characters visible.
        #expect(read[1].name == "Me\u{1B}[31m")
    }
}
