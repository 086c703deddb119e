// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import DBus
import Foundation
import MSALBase
import MSALCore
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// A broker on a ``FakeBus`` that responds as the test specifies and records its calls.
final class FakeBroker: Sendable {
    /// One call of one of the broker's methods.
    struct Call: Sendable {
        let member: String
        let path: String
        let interface: String
        let protocolVersion: String
        let correlationID: String
        let request: [String: JSONValue]

        /// The object in the request under this name.
        func object(_ name: String) -> [String: JSONValue] { request[name]?.object ?? [:] }
    }

    enum Reply: Sendable {
        case json(JSONValue)
        case text(String)
        case values([DBusValue])
        case error(String, text: String = "")
        /// The broker leaves the bus.
        case departure
        /// The bus closes the connection.
        case hangUp
        /// The caller waits.
        case silence
    }

    private struct State {
        var replies: [IdentityBrokerMethod: [Reply]]
        var logName: String?
        var calls: [Call] = []
        var onCall: @Sendable (Call) -> Void = { _ in }
    }

    private let state: Mutex<State>

    /// `replies`: The responses to each method in turn. The last one is repeated. Other methods are unknown.
    /// `logName`: The program's name in the system log, if it reports one.
    init(_ replies: [IdentityBrokerMethod: [Reply]] = [:], logName: String? = nil) {
        state = Mutex(State(replies: replies, logName: logName))
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var members: [String] { calls.map(\.member) }

    /// Calls `body` at each call, before the response.
    func onCall(_ body: @escaping @Sendable (Call) -> Void) {
        state.withLock { $0.onCall = body }
    }

    func bus(isRunning: Bool = true) throws -> FakeBus {
        try FakeBus(names: ["com.microsoft.identity.broker1"], isRunning: isRunning) { self.actions($0) }
    }

    private func actions(_ message: DBusMessage) -> [FakeBus.Action] {
        let values = (try? message.values())?.compactMap(\.string) ?? []
        if message.path == "/org/freedesktop/LogControl1" {
            let name = state.withLock { $0.logName }
            return [name.map { .answer([.variant(.string($0))]) } ?? .error("org.freedesktop.DBus.Error.UnknownObject")]
        }
        guard let method = message.member.flatMap(IdentityBrokerMethod.init(rawValue:)), values.count == 3 else {
            return [.error("org.freedesktop.DBus.Error.UnknownMethod")]
        }
        let call = Call(
            member: method.rawValue,
            path: message.path ?? "",
            interface: message.interface ?? "",
            protocolVersion: values[0],
            correlationID: values[1],
            request: JSONValue(parsing: Data(values[2].utf8))?.object ?? [:]
        )
        let (reply, onCall) = state.withLock { state in
            state.calls.append(call)
            let replies = state.replies[method] ?? [.error("org.freedesktop.DBus.Error.UnknownMethod")]
            if replies.count > 1 { state.replies[method]?.removeFirst() }
            return (replies[0], state.onCall)
        }
        onCall(call)
        return action(reply)
    }

    private func action(_ reply: Reply) -> [FakeBus.Action] {
        switch reply {
        case .json(let value): [.answer([.string(value.text)])]
        case .text(let text): [.answer([.string(text)])]
        case .values(let values): [.answer(values)]
        case .error(let name, let text): [.failure(name, text: text)]
        case .departure: [.departure]
        case .hangUp: [.hangUp]
        case .silence: []
        }
    }
}

/// Requests and responses for tests of the broker.
enum BrokerSample {
    static let clientID = "00000000-0000-4000-8000-000000000001"
    static let uid = "aaaaaaaa-0000-0000-0000-000000000001"
    static let utid = "bbbbbbbb-0000-0000-0000-000000000002"
    static let correlationID = UUID(uuidString: "0A0A0A0A-1111-4222-8333-444444444444") ?? UUID()
    static let expiry = Date(timeIntervalSince1970: 1_767_695_142)

    static var account: [String: JSONValue] {
        [
            "homeAccountId": .string("\(uid).\(utid)"), "localAccountId": .string(uid), "realm": .string(utid),
            "environment": .string("login.windows.net"), "username": .string("megan@contoso.example"),
            "name": .string("Megan Bowen"), "givenName": .string("Megan"), "passwordExpiry": .integer(0),
            "clientInfo": .string(clientInfo), "unknown": .object(["deep": .array([.integer(1), .null])]),
        ]
    }

    static var clientInfo: String { encoded(["uid": .string(uid), "utid": .string(utid)]) }

    static func encoded(_ members: [String: JSONValue]) -> String {
        Base64URL.encode(JSONValue.object(members).text.utf8)
    }

    /// A text in the form of a JSON Web Token.
    static func token(_ claims: [String: JSONValue]) -> String {
        "\(encoded(["alg": .string("none")])).\(encoded(claims)).x"
    }

    static func idToken(for client: String = clientID) -> String {
        token([
            "aud": .string(client), "oid": .string(uid), "tid": .string(utid), "name": .string("Megan Bowen"),
            "preferred_username": .string("megan@contoso.example"),
        ])
    }

    /// The members of a token response. `changes` replaces members, and a `nil` removes one.
    static func token(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        var members: [String: JSONValue] = [
            "accessToken": .string("opaque-access-token"), "accessTokenType": .integer(0),
            "idToken": .string(idToken()), "clientInfo": .string(clientInfo), "account": .object(account),
            "expiresOn": .integer(1_767_695_142_000), "extendedExpiresOn": .integer(1_767_698_742_000),
            "grantedScopes": .string("User.Read profile openid"),
        ]
        for (name, value) in changes { members[name] = value }
        return .object([
            "brokerTokenResponse": .object(members), "telemetry": .object(["broker_version": .string("3.0.1")]),
        ])
    }

    static func failure(_ error: [String: JSONValue], method: IdentityBrokerMethod) -> JSONValue {
        let response: JSONValue = .object(["error": .object(error)])
        return method.hasTokenResponse ? .object(["brokerTokenResponse": response]) : response
    }

    static let authority = url("https://login.microsoftonline.com/common")
    static let api = url("https://api.contoso.example:8443/v1/me?x=1")
    static let page = url("https://login.microsoftonline.com/authorize?sso_nonce=abc")

    private static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: text) }

    static func request(account: BrokerAccount? = nil) -> BrokerTokenRequest {
        var request = BrokerTokenRequest(
            clientID: clientID,
            authority: authority,
            scopes: ["User.Read"],
            correlationID: correlationID
        )
        request.account = account
        return request
    }

    static let accountsRequest = BrokerAccountsRequest(clientID: clientID, correlationID: correlationID)
    static let proof = SignedHTTPRequest(method: "GET", url: api, nonce: "nonce-of-the-api")

    static func knownAccount() throws -> BrokerAccount { try #require(BrokerAccount(account)) }

    static func cookieRequest(account: BrokerAccount?) -> BrokerCookieRequest {
        BrokerCookieRequest(
            clientID: clientID,
            authority: authority,
            url: page,
            account: account,
            correlationID: correlationID
        )
    }
}

extension BusBroker {
    /// The broker on this bus. Its pauses take no time. A hang is recorded in `folder`, or not at all.
    init(
        _ bus: FakeBus,
        time: any TimeSource = ManualTime(skipsSleeps: true),
        limits: BrokerLimits = .patient,
        folder: String = "/dev/null",
        onWait: @escaping @Sendable () -> Void = {}
    ) {
        let environment = bus.environment.merging(["MSAL_STORE_DIR": folder]) { $1 }
        self.init(environment: environment, time: time, limits: limits, onWait: onWait)
    }

    /// Calls a method and returns its failure, or `nil`.
    func failure(of method: IdentityBrokerMethod) async throws -> BrokerFailure? {
        let account = try BrokerSample.knownAccount()
        let id = BrokerSample.correlationID
        do throws(BrokerFailure) {
            switch method {
            case .version: _ = try await information(correlationID: id)
            case .accounts: _ = try await accounts(BrokerSample.accountsRequest)
            case .tokenSilently: _ = try await tokenSilently(BrokerSample.request(account: account))
            case .tokenInteractively: _ = try await tokenInteractively(BrokerSample.request(account: account))
            case .cookie: _ = try await singleSignOnCookies(BrokerSample.cookieRequest(account: account))
            case .removal: try await remove(account, clientID: BrokerSample.clientID, correlationID: id)
            case .signedRequest: Issue.record("Only a report calls this method.")
            case .cancellation: Issue.record("Only the cancellation of a task calls this method.")
            }
            return nil
        } catch {
            return error
        }
    }
}

extension IdentityBrokerMethod {
    /// Whether a sign-in, a silent call or a sign-out calls the method for its response.
    var isCalledByFlows: Bool { self != .signedRequest && self != .cancellation }
}

extension BrokerLimits {
    /// Limits that even a busy machine does not exceed.
    static let patient = BrokerLimits(
        presence: .seconds(120),
        quickPresence: .seconds(120),
        silent: .seconds(120),
        start: .seconds(120),
        cancellation: .seconds(120)
    )
}
