// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The sessions of a web application: in the store in which instances share the tokens of users, or in memory.
///
/// A session has two values, one with its absolute lifetime, the other with its idle lifetime. Both expire by the
/// store's clock, so the clocks of the instances need not agree.
package struct WebSessions: Sendable {
    /// The owner of values in the store: a session, or the list of the sessions of a user or of the service.
    package enum Owner: Sendable {
        case session(String)
        case user(String)
        /// A session at the service (OpenID Connect Front-Channel Logout §2).
        case serviceSession(String, issuer: String)
    }

    private struct ListedID: Codable {
        let id: String
        /// The end of the session in seconds since 1970, by the clock of the instance that opened it.
        let end: Int64
    }

    private let store: SharedStore
    private let application: MSALConfidentialClientApplication
    /// The first begins with each request, the second with the sign-in.
    private let idleLifetime: Duration, lifetime: Duration

    package init(
        of application: MSALConfidentialClientApplication,
        idleLifetime: Duration,
        lifetime: Duration
    ) throws(MSALTokenError) {
        if let shared = application.configuration.cache.shared(.users) {
            store = shared
        } else {
            let memory = SessionMemoryStore(time: application.environment.time)
            let key = try MSALSealingKey(id: 0, secret: application.environment.random(32))
            store = SharedStore(try MSALSharedCacheConfiguration(memory, keys: [key]))
        }
        (self.application, self.idleLifetime, self.lifetime) = (application, min(idleLifetime, lifetime), lifetime)
    }

    /// Seals what the browser keeps in cookies and links.
    package var sealer: TextSealer {
        TextSealer(
            keys: store.configuration.keys,
            service: "web sign-in",
            clientID: application.configuration.clientId,
            limit: TextSealer.cookieLimit,
            random: application.environment.random
        )
    }

    /// Opens a session, and returns its new ID, so that one that an attacker planted in the browser opens nothing.
    package func open(user: String, claims: [String: MSALClaimValue]) async throws(SharedStoreError) -> String {
        let (id, now) = (randomText(), application.environment.time.wholeSeconds)
        let session = WebSession(user: user, formToken: Secret(randomText()), claims: claims)
        // The session comes last: if the store fails before, the lists have an ID that opens nothing.
        for list in session.lists {
            let surplus = try await change(list) { ids in
                ids.removeAll { $0.end <= now - Self.clockDifference }
                ids.append(ListedID(id: id, end: now + lifetime.components.seconds))
                defer { ids = ids.suffix(Self.mostListed) }
                return ids.dropLast(Self.mostListed).map(\.id)
            }
            _ = try await close(surplus)
        }
        _ = try await write([], to: "use", of: .session(id), expiresIn: idleLifetime)
        _ = try await write(session.bytes, to: "session", of: .session(id), expiresIn: lifetime)
        return id
    }

    /// The session with this ID, for which it counts as a use; `nil` if it has ended.
    package func session(_ id: String) async throws(SharedStoreError) -> WebSession? {
        // Anything else is not from `open`, and is not worth a request to the store.
        guard id.utf8.count == 43, Base64URL.decodeStrictly(id[...]) != nil else { return nil }
        let found = try await read(["session", "use"], of: .session(id))
        guard let bytes = found[0].plain, found[1].plain != nil, let session = WebSession(bytes) else { return nil }
        // A use is recorded ten times in an idle lifetime at most. If a store rejects this write, the session ends early.
        if found[1].expiresIn < idleLifetime * 0.9 {
            let rest = min(idleLifetime, found[0].expiresIn)
            _ = try? await write([], to: "use", of: .session(id), expiresIn: rest)
        }
        return session
    }

    /// Ends a session or those of a list, and returns the users whose last ones these were.
    package func close(_ owner: Owner) async throws(SharedStoreError) -> [String] {
        if case .session(let id) = owner { return try await close([id]) }
        return try await close(Self.ids(try await read(["list"], of: owner)).map(\.id))
    }

    private func close(_ ids: [String]) async throws(SharedStoreError) -> [String] {
        var users: Set<String> = []
        for id in ids {
            guard let session = try await session(id) else { continue }
            let owner = owner(.session(id))
            try await observed { () async throws(SharedStoreError) in try await store.removeAll(of: owner) }
            for list in session.lists { try await change(list) { ids in ids.removeAll { $0.id == id } } }
            users.insert(session.user)
        }
        // The browsers of a user share the tokens.
        for user in users {
            for listed in Self.ids(try await read(["list"], of: .user(user))) where users.contains(user) {
                let found = try await read(["session", "use"], of: .session(listed.id))
                if found.allSatisfy({ $0.plain != nil }) { users.remove(user) }
            }
        }
        return users.sorted()
    }

    /// Reads a list, changes it, and writes it. If another instance was faster, it starts over.
    @discardableResult
    private func change<Result>(
        _ list: Owner,
        by body: (inout [ListedID]) -> Result
    ) async throws(SharedStoreError) -> Result {
        for _ in 0..<Self.mostAttempts {
            let found = try await read(["list"], of: list)
            var ids = Self.ids(found)
            let result = body(&ids)
            // Encoding does not fail.
            let bytes = (try? JSONEncoder().encode(ids)).map(Array.init) ?? []
            let condition = found[0].moveCondition
            if try await write(bytes, to: "list", of: list, expiresIn: lifetime, if: condition) { return result }
        }
        throw .failed
    }

    private static func ids(_ list: [StoredValue]) -> [ListedID] {
        // A damaged list counts as empty.
        list[0].plain.flatMap { try? JSONDecoder().decode([ListedID].self, from: Data($0)) } ?? []
    }

    private func owner(_ owner: Owner) -> SharedOwner {
        // The ID of a user of the cache contains no spaces.
        let id =
            switch owner {
            case .session(let id): "web-session \(id)"
            case .user(let id): "web-user \(id)"
            case .serviceSession(let id, let issuer): "web-issuer \(issuer) \(id)"
            }
        let (host, clientID) = (application.cacheHost, application.configuration.clientId)
        return SharedOwner(kind: .users, environment: host, clientID: clientID, id: id)
    }

    private func read(_ names: [String], of owner: Owner) async throws(SharedStoreError) -> [StoredValue] {
        let owner = self.owner(owner)
        let entries = names.map { [$0] }
        return try await observed { () async throws(SharedStoreError) in try await store.read(entries, of: owner) }
    }

    private func write(
        _ bytes: [UInt8],
        to name: String,
        of owner: Owner,
        expiresIn: Duration,
        if condition: MSALWriteCondition = .always
    ) async throws(SharedStoreError) -> Bool {
        let owner = self.owner(owner)
        let name = owner.name(of: [name], under: store.configuration.keys[0])
        return try await observed { () async throws(SharedStoreError) in
            try await store.write(bytes, to: name, of: owner, expiresIn: expiresIn, if: condition)
        }
    }

    private func observed<Success: Sendable>(
        _ body: @Sendable () async throws(SharedStoreError) -> Success
    ) async throws(SharedStoreError) -> Success {
        guard application.configuration.cache.shared != nil else { return try await body() }
        return try await application.environment.logged(body)
    }

    private func randomText() -> String { Base64URL.encode(application.environment.random(32)) }

    /// Beyond this number of sessions, the oldest one of the user ends.
    private static let mostListed = 100
    private static let mostAttempts = 10
    /// The seconds by which the clocks of instances may differ before a list forgets a session too early.
    private static let clockDifference: Int64 = 3600
}
