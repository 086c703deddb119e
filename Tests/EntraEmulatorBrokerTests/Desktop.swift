// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import Foundation
import MSALBase
import Testing

@testable import EntraEmulatorBroker

/// An emulator with a broker double on a separate bus, and a client of that bus.
struct Desktop {
    let emulator: Emulator
    let broker: EmulatedBroker

    static let nativeClient = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    /// Whether dbus-daemon is installed.
    static let hasBus = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/dbus-daemon")
    }

    /// Starts both, runs a test and ends both.
    @discardableResult
    static func with<Value>(
        _ dialect: BrokerDialect = .current,
        signedIn: String? = "megan@contoso.example",
        directory: EmulatorDirectory = .seed,
        configure: (inout EmulatedBroker.Configuration) -> Void = { _ in },
        test: (Desktop) async throws -> Value
    ) async throws -> Value {
        var settings = EmulatorConfiguration()
        settings.directory = directory
        let emulator = try await Emulator.start(settings)
        var configuration = EmulatedBroker.Configuration()
        configuration.dialect = dialect
        configure(&configuration)
        let broker = try await EmulatedBroker.start(for: emulator, configuration)
        do {
            if let signedIn { try await broker.signIn(as: signedIn) }
            let value = try await test(Desktop(emulator: emulator, broker: broker))
            await broker.shutdown()
            try await emulator.shutdown()
            return value
        } catch {
            // The test's error explains the failure.
            await broker.shutdown()
            try? await emulator.shutdown()
            throw error
        }
    }

    var megan: String { "\(emulator.seed.megan.objectID).\(emulator.seed.tenantID)" }

    /// Calls a method of any object of the broker.
    func send(
        _ member: String,
        of interface: String = BrokerAddress.interface,
        at path: String = BrokerAddress.path,
        arguments: [DBusValue] = []
    ) async throws -> [DBusValue] {
        let environment = broker.environment
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let deadline = Deadline(after: .seconds(60))
                        let connection = try BusConnection.session(environment, until: deadline)
                        let call = BusCall(
                            to: try connection.startedProgram(named: BrokerAddress.name, until: deadline),
                            at: path,
                            interface: interface,
                            member: member,
                            arguments: arguments
                        )
                        return try connection.call(call, until: deadline)
                    }
                )
            }
        }
    }

    /// The text of a method's response.
    func text(
        _ method: BrokerMethod,
        _ request: JSONValue,
        correlationID: String = UUID().uuidString.lowercased()
    ) async throws -> String {
        let arguments = ["0.0", correlationID, request.text].map(DBusValue.string)
        let values = try await send(method.rawValue, arguments: arguments)
        return try #require(values.first?.string)
    }

    func ask(
        _ method: BrokerMethod,
        _ request: JSONValue,
        correlationID: String = UUID().uuidString.lowercased()
    ) async throws -> JSONValue {
        try #require(JSONValue(parsing: try await text(method, request, correlationID: correlationID)))
    }

    /// The name of the bus's error.
    func errorName(_ method: BrokerMethod, _ request: JSONValue) async throws -> String? {
        do {
            _ = try await text(method, request)
            return nil
        } catch let error as DBusError {
            guard case .remote(let name) = error.kind else { return "\(error.kind)" }
            return name
        }
    }

    // MARK: Requests

    func accounts(of clientID: String? = nil) async throws -> [JSONValue] {
        let request: JSONValue = ["clientId": .string(clientID ?? emulator.seed.clientID), "redirectUri": "any"]
        return try #require(try await ask(.getAccounts, request)["accounts"]?.array)
    }

    /// The request for a token; `changes` replace members of the parameters.
    func tokenRequest(
        _ account: JSONValue?,
        clientID: String? = nil,
        scope: String = "User.Read",
        changes: [String: JSONValue] = [:]
    ) -> JSONValue {
        var parameters: [String: JSONValue] = [
            "authority": .string("\(emulator.baseURL.absoluteString)/\(emulator.seed.tenantID)"),
            "authorizationType": 1, "clientId": .string(clientID ?? emulator.seed.clientID),
            "redirectUri": .string(Self.nativeClient), "requestedScopes": .array([.string(scope)]),
        ]
        parameters["account"] = account
        return ["authParameters": .object(parameters.merging(changes) { _, new in new })]
    }

    /// The request for a token of the only account, which has consented.
    func silently(
        clientID: String? = nil,
        scope: String = "User.Read",
        changes: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        let account = try await accounts(of: clientID).first
        let request = tokenRequest(account, clientID: clientID, scope: scope, changes: changes)
        return try #require(try await ask(.acquireTokenSilently, request)["brokerTokenResponse"])
    }

    func interactively(changes: [String: JSONValue] = [:], account: JSONValue? = nil) async throws -> JSONValue {
        let request = tokenRequest(account, changes: changes)
        return try #require(try await ask(.acquireTokenInteractively, request)["brokerTokenResponse"])
    }
}

extension JSONValue {
    var status: Int? { self["error"]?["status"]?.int }
    var context: String { self["error"]?["context"]?.nonEmptyString ?? "" }

    /// The claims of a token that this text is.
    var claims: JSONValue? {
        string?.split(separator: ".").dropFirst().first.flatMap { Data(base64URL: $0) }.flatMap {
            JSONValue(parsing: $0)
        }
    }
}
