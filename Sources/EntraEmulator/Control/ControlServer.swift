// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore

/// The control API of a running emulator: `GET /journal`, `GET` and `POST /users`, `POST /faults`, `POST /clock`,
/// `POST /reset`, all with a bearer token. It listens on 127.0.0.1 with the emulator's certificate.
struct ControlServer: HTTPResponder {
    typealias Context = EmulatorContext

    /// A listening control API.
    struct Running: Sendable {
        let listener: Listener
        let token: Secret
    }

    let platform: Platform
    private var token = Secret("")

    init(platform: Platform) {
        self.platform = platform
    }

    /// Starts listening if the configuration names a port; the token is kept in the state directory.
    func start(in state: StateDirectory, logger: Logger) async throws -> Running? {
        guard let port = platform.configuration.controlPort else { return nil }
        var server = self
        server.token = try state.locked {
            if let stored = try state.read("control-token"), stored.count >= 43 { return Secret(stored) }
            let token = Secret.random()
            try state.write(token.revealed, to: "control-token")
            return token
        }
        do {
            let listener = try await Listener.start(
                host: "127.0.0.1",
                port: port,
                server: .tls(.http1(), tlsConfiguration: platform.identity.tls),
                responder: server,
                logger: logger
            )
            return Running(listener: listener, token: server.token)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Emulator.StartFailure(
                description: "control port \(port) is already in use; choose another with --control-port"
            )
        }
    }

    /// Answers one request; without the token there is nothing to see.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let presented = request.headers[.authorization].map { Secret($0) }
        guard let presented, presented == Secret("Bearer \(token.revealed)") else {
            var response = try Response.json(["error": "unauthorized"], status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer realm=\"control\""
            return response
        }
        do {
            let buffer = try await request.body.collect(upTo: 64 * 1024)
            let body =
                try buffer.readableBytes == 0
                ? JSONValue.null : JSONDecoder().decode(JSONValue.self, from: Data(buffer.readableBytesView))
            return try await answer(request.method, request.uri.path, body)
        } catch {
            return try .json(["error": "invalid_request"], status: .badRequest)
        }
    }

    private func answer(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue) async throws -> Response {
        switch (method, path) {
        case (.get, "/journal"):
            return try .json(["entries": .array(platform.journal.entries.map(Self.json))])
        case (.get, "/users"):
            return try .json(["users": .array(try await platform.store.users().map(Self.json))])
        case (.post, "/users"): return try await addUser(body)
        case (.post, "/faults"): return try addFault(body)
        case (.post, "/clock"):
            guard let seconds = body["advance"]?.int else { break }
            platform.clock.advance(by: .seconds(seconds))
            return try .json(["now": .string(Exchange.serviceTime(platform.clock.now))])
        case (.post, "/reset"):
            try await platform.reset()
            return try .json(["reset": true])
        default: return try .json(["error": "not_found"], status: .notFound)
        }
        return try .json(["error": "invalid_request"], status: .badRequest)
    }

    private func addUser(_ body: JSONValue) async throws -> Response {
        guard let name = body["userPrincipalName"]?.string, let password = body["password"]?.string,
            let domain = name.split(separator: "@").last.map({ $0.lowercased() }),
            let tenant = platform.directory.tenants.first(where: { $0.domain == domain }),
            try await platform.store.user(named: name) == nil
        else { return try .json(["error": "invalid_request"], status: .badRequest) }
        var user = User(
            id: UUID().uuidString.lowercased(),
            homeTenantID: tenant.id,
            userPrincipalName: name.lowercased(),
            givenName: body["givenName"]?.string ?? name,
            surname: body["surname"]?.string ?? "",
            password: Secret(password)
        )
        if case .bool(let isAdministrator) = body["isAdministrator"] { user.isAdministrator = isAdministrator }
        try await platform.store.save(user)
        return try .json(Self.json(user), status: .created)
    }

    private func addFault(_ body: JSONValue) throws -> Response {
        guard let suffix = body["pathSuffix"]?.string else {
            return try .json(["error": "invalid_request"], status: .badRequest)
        }
        var fault = Fault(pathSuffix: suffix)
        fault.method = body["method"]?.string
        fault.status = body["status"]?.int.flatMap { (100...999).contains($0) ? $0 : nil }
        fault.body = body["body"]?.string ?? ""
        fault.delay = .milliseconds(max(0, body["delayMilliseconds"]?.int ?? 0))
        fault.count = body["count"]?.int ?? 1
        if case .bool(let drops) = body["dropsConnection"] { fault.dropsConnection = drops }
        if case .object(let headers) = body["headers"] { fault.headers = headers.compactMapValues(\.string) }
        platform.faults.enqueue(fault)
        return try .json(["queued": true], status: .created)
    }

    private static func json(_ entry: JournalEntry) -> JSONValue {
        [
            "date": .string(Exchange.serviceTime(entry.date)),
            "method": .string(entry.method),
            "path": .string(entry.path),
            "status": .int(entry.status),
            "correlation_id": .string(entry.correlationID),
            "query": .object(entry.query.mapValues { .string($0) }),
            "form": .object(entry.form.mapValues { .string($0) }),
        ]
    }

    private static func json(_ user: User) -> JSONValue {
        [
            "id": .string(user.id), "userPrincipalName": .string(user.userPrincipalName),
            "displayName": .string(user.displayName), "tenantId": .string(user.homeTenantID),
            "isAdministrator": .bool(user.isAdministrator), "isEnabled": .bool(user.isEnabled),
        ]
    }
}
