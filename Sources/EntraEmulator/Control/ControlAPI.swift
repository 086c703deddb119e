// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// The control API: `GET /journal`, `/users` and `/outbox`; `POST /users`, `/faults`, `/answers`, `/certificate`,
/// `/clock` and `/reset`; `DELETE /users/{name}`. Bodies and answers are JSON.
struct ControlAPI: Sendable {
    let platform: Platform

    /// Answers a request that carried the token.
    func answer(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue) async throws -> Response {
        switch (method, path) {
        case (.get, "/journal"):
            return try .json(["entries": .array(platform.journal.entries.map(Self.json))])
        case (.get, "/users"):
            return try .json(["users": .array(try await platform.store.users().map(Self.json))])
        case (.post, "/users"): return try await addUser(body)
        case (.delete, _) where path.hasPrefix("/users/"): return try await removeUser(path)
        case (.get, "/outbox"):
            return try .json(["messages": .array(platform.native.outbox.messages.map(Self.json))])
        case (.post, "/answers"): return try addAnswers(body)
        case (.post, "/faults"): return try addFault(body)
        case (.post, "/certificate"):
            let fault = body["fault"]?.string
            guard fault == nil || fault.flatMap(CertificateFault.init) != nil else { break }
            try platform.certificate.show(fault.flatMap(CertificateFault.init))
            return try .json(["fault": fault.map { .string($0) } ?? .null])
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
            let tenant = platform.directory.tenants.first(where: { tenant in
                (body["tenant"]?.string).map(tenant.answers) ?? (tenant.domain == domain)
            }),
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
        if let profile = body["customer"] {
            user.customer = try JSONDecoder().decode(CustomerProfile.self, from: profile.encoded())
        }
        try await platform.store.save(user)
        return try .json(Self.json(user), status: .created)
    }

    private func removeUser(_ path: String) async throws -> Response {
        let name = path.dropFirst("/users/".count).removingPercentEncoding ?? ""
        guard let user = try await platform.store.user(named: name) else {
            return try .json(["error": "not_found"], status: .notFound)
        }
        try await platform.store.removeUser(id: user.id)
        return try .json(["removed": .string(user.userPrincipalName)])
    }

    private func addAnswers(_ body: JSONValue) throws -> Response {
        let names = (body["responses"]?.elements ?? []).compactMap(\.string)
        let answers = names.compactMap(NamedAnswer.init)
        guard let suffix = body["endpoint"]?.string, !answers.isEmpty, answers.count == names.count else {
            return try .json(["error": "invalid_request"], status: .badRequest)
        }
        let id = (body["correlationId"]?.string).flatMap(UUID.init(uuidString:))
        platform.native.queue.enqueue(answers, pathSuffix: suffix, correlationID: id)
        return try .json(["queued": .int(answers.count)], status: .created)
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
        fault.stopsAfterBytes = body["stopsAfterBytes"]?.int.map { max(0, $0) }
        if case .bool(let hangs) = body["hangs"] { fault.hangs = hangs }
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
            "headers": .object(entry.headers.mapValues { .string($0) }),
        ]
    }

    private static func json(_ message: OutboxMessage) -> JSONValue {
        [
            "date": .string(Exchange.serviceTime(message.date)), "channel": .string(message.channel.rawValue),
            "recipient": .string(message.recipient), "purpose": .string(message.purpose.rawValue),
            "code": .string(message.code),
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
