// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The application's state for its browsers. A cookie contains only a random name.
///
/// It is in the memory of this process, like the users' tokens: after a restart users sign in again, mostly without
/// typing anything. With a store that the instances share it is in that store, and every instance knows every browser.
struct Sessions: Sendable {
    /// A signed-in user, in one browser.
    struct Session: Codable {
        /// Gives access to the user's tokens. It never comes from a request.
        let user: String
        let name: String
        /// The token that the forms of this session must send, so that no other site can submit them.
        let formToken: String
        /// The ID of the user's session at the service, if the service sends it.
        let serviceSession: String?
        let ends: Date
        /// The claims that the next sign-in must satisfy.
        var claims: String?
    }

    /// Several instances have repeatedly changed one value at the same moment.
    struct Conflict: Error {}

    /// Pending sign-ins, of which unauthenticated clients can start many.
    private let visits: any Shelf
    /// Sessions, and the lists of each user's sessions.
    private let sessions: any Shelf

    static let length: TimeInterval = 8 * 3600
    static let visitLength: TimeInterval = 3600
    private static let mostVisits = 10_000
    private static let mostRequests = 5

    /// Sessions in the memory of this process.
    init() {
        visits = MemoryShelf(mostValues: Self.mostVisits)
        sessions = MemoryShelf()
    }

    /// Sessions in a store that the instances share. Its visits expire after an hour.
    init(shared: any Shelf) {
        visits = shared
        sessions = shared
    }

    // MARK: Pending sign-ins

    /// Stores a sign-in for the browser that `visit` names, or for a new one.
    ///
    /// - Returns: The name for the browser's cookie.
    func begin(_ request: MSALWebSignInRequest, visit: String?) async throws -> String {
        var name = Self.randomName()
        if let visit, try await visits.read("visit \(visit)") != nil { name = visit }
        try await change("visit \(name)", in: visits, lifetime: Self.visitLength) { (requests: inout [MSALWebSignInRequest]?) in
            requests = (requests?.suffix(Self.mostRequests - 1) ?? []) + [request]
        }
        return name
    }

    /// Removes and returns the sign-in of a response, so a replayed response finds none.
    func take(for response: MSALWebSignInResponse, visit: String?) async throws -> MSALWebSignInRequest? {
        guard let visit else { return nil }
        return try await change("visit \(visit)", in: visits, lifetime: Self.visitLength) {
            (requests: inout [MSALWebSignInRequest]?) in
            guard let index = requests?.firstIndex(where: { $0.matches(response) }) else { return nil }
            return requests?.remove(at: index)
        }
    }

    // MARK: Users

    /// Opens a session with a new name, so that a name that an attacker planted in the browser opens nothing.
    ///
    /// - Returns: The name for the browser's cookie.
    func open(_ result: MSALTokenResult, user: String) async throws -> String {
        let name = Self.randomName()
        let session = Session(
            user: user,
            name: result.idTokenClaims?["name"]?.string ?? "somebody",
            formToken: Self.randomName(),
            serviceSession: result.idTokenClaims?["sid"]?.string,
            ends: .now.addingTimeInterval(Self.length)
        )
        for list in Self.lists(with: session) {
            try await change(list, in: sessions, lifetime: Self.length) { (names: inout [String: Date]?) in
                names = (names ?? [:]).filter { $0.value > .now }.merging([name: session.ends]) { $1 }
            }
        }
        try await change("session \(name)", in: sessions, lifetime: Self.length) { $0 = session }
        return name
    }

    func session(_ name: String?) async throws -> Session? {
        guard let name, let shelved = try await sessions.read("session \(name)") else { return nil }
        let session = try JSONDecoder().decode(Session.self, from: shelved.value)
        return session.ends > .now ? session : nil
    }

    func remember(claims: String?, in name: String?) async throws {
        guard let name, let session = try await session(name) else { return }
        try await change("session \(name)", in: sessions, lifetime: session.ends.timeIntervalSinceNow) {
            (session: inout Session?) in session?.claims = claims
        }
    }

    /// Closes the session of one browser.
    ///
    /// - Returns: The users whose last session it was. Their tokens are no longer needed.
    func close(_ name: String) async throws -> [String] { try await close([name]) }

    /// Closes all sessions of a user.
    func close(user: String) async throws -> [String] { try await close(names(in: Self.list(ofUser: user))) }

    /// Closes all sessions that belong to a session at the service.
    func close(serviceSession: String) async throws -> [String] {
        try await close(names(in: Self.list(ofServiceSession: serviceSession)))
    }

    private func close(_ names: [String]) async throws -> [String] {
        var lastOnes: Set<String> = []
        for name in names {
            guard let session = try await session(name) else { continue }
            try await sessions.remove("session \(name)")
            for list in Self.lists(with: session) {
                try await change(list, in: sessions, lifetime: Self.length) { (names: inout [String: Date]?) in
                    names?[name] = nil
                }
            }
            // A user's browsers share the tokens.
            if try await self.names(in: Self.list(ofUser: session.user)).isEmpty { lastOnes.insert(session.user) }
        }
        return lastOnes.sorted()
    }

    // MARK: Lists of sessions

    private static func list(ofUser user: String) -> String { "user \(user)" }
    private static func list(ofServiceSession id: String) -> String { "service session \(id)" }

    private static func lists(with session: Session) -> [String] {
        [list(ofUser: session.user)] + (session.serviceSession.map { [list(ofServiceSession: $0)] } ?? [])
    }

    private func names(in list: String) async throws -> [String] {
        guard let shelved = try await sessions.read(list) else { return [] }
        return try JSONDecoder().decode([String: Date].self, from: shelved.value).filter { $0.value > .now }.keys.sorted()
    }

    // MARK: Values

    /// Reads a value, changes it, and writes it again. If another instance was faster, it starts over.
    @discardableResult
    private func change<Value: Codable, Result>(
        _ name: String,
        in shelf: any Shelf,
        lifetime: TimeInterval,
        by body: (inout Value?) -> Result
    ) async throws -> Result {
        for _ in 0..<10 {
            let shelved = try await shelf.read(name)
            var value = try shelved.map { try JSONDecoder().decode(Value.self, from: $0.value) }
            let result = body(&value)
            guard let value else { return result }
            let data = try JSONEncoder().encode(value)
            let isWritten = try await shelf.write(
                data,
                to: name,
                lifetime: .seconds(max(lifetime, 1)),
                over: shelved?.version
            )
            if isWritten { return result }
        }
        throw Conflict()
    }

    /// 256 bits from the system's source of secrets.
    private static func randomName() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    }
}
