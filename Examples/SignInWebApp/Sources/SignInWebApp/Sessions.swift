// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// What the application knows of its browsers. A cookie has nothing but a random name.
///
/// It is in the memory of this process, as the users' tokens are. After a restart users sign in again, mostly without
/// typing anything.
actor Sessions {
    /// A user who is signed in, in one browser.
    struct Session {
        /// Opens the user's tokens. It never comes from a request.
        let user: String
        let name: String
        /// What the forms of this session must bring back, so that no other site can send them.
        let formToken: String
        /// The id of the user's session at the service, if the service tells it.
        let serviceSession: String?
        let ends: Date
        /// What the service wants to see met by the next sign-in.
        var claims: String?
    }

    /// The sign-ins that one browser has begun, in several tabs perhaps.
    private struct Visit {
        var requests: [MSALWebSignInRequest]
        let begun: Date
    }

    private var sessions: [String: Session] = [:]
    private var visits: [String: Visit] = [:]

    static let length: TimeInterval = 8 * 3600
    static let visitLength: TimeInterval = 3600
    private static let mostVisits = 10_000
    private static let mostRequests = 5

    // MARK: Sign-ins under way

    /// Keeps a sign-in for the browser that `visit` names, or for a new one.
    ///
    /// - Returns: The name for the browser's cookie.
    func begin(_ request: MSALWebSignInRequest, visit: String?) -> String {
        let name = visit.flatMap { visits[$0] == nil ? nil : $0 } ?? Self.randomName()
        // Strangers can begin sign-ins: the memory for them has an end.
        visits = visits.filter { $0.value.begun.addingTimeInterval(Self.visitLength) > .now }
        if visits.count >= Self.mostVisits, let oldest = visits.min(by: { $0.value.begun < $1.value.begun }) {
            visits[oldest.key] = nil
        }
        let earlier = visits[name]?.requests.suffix(Self.mostRequests - 1) ?? []
        visits[name] = Visit(requests: earlier + [request], begun: visits[name]?.begun ?? .now)
        return name
    }

    /// Takes the sign-in that a response belongs to. It is gone then, so a response that is replayed finds none.
    func take(for response: MSALWebSignInResponse, visit: String?) -> MSALWebSignInRequest? {
        guard let visit, let index = visits[visit]?.requests.firstIndex(where: { $0.matches(response) }) else {
            return nil
        }
        return visits[visit]?.requests.remove(at: index)
    }

    // MARK: Users

    /// Opens a session with a new name, so that a name that a stranger planted in the browser opens nothing.
    ///
    /// - Returns: The name for the browser's cookie.
    func open(_ result: MSALTokenResult, user: String) -> String {
        sessions = sessions.filter { $0.value.ends > .now }
        let name = Self.randomName()
        sessions[name] = Session(
            user: user,
            name: result.idTokenClaims?["name"]?.string ?? "somebody",
            formToken: Self.randomName(),
            serviceSession: result.idTokenClaims?["sid"]?.string,
            ends: .now.addingTimeInterval(Self.length)
        )
        return name
    }

    func session(_ name: String?) -> Session? {
        name.flatMap { sessions[$0] }.flatMap { $0.ends > .now ? $0 : nil }
    }

    func remember(claims: String?, in name: String?) {
        if let name { sessions[name]?.claims = claims }
    }

    /// Closes the session of one browser.
    ///
    /// - Returns: The users whose last session here it was. Nobody needs their tokens any more.
    func close(_ name: String) -> [String] { close { $0.key == name } }

    /// Closes all sessions of a user.
    func close(user: String) -> [String] { close { $0.value.user == user } }

    /// Closes all that belong to a session at the service.
    func close(serviceSession: String) -> [String] { close { $0.value.serviceSession == serviceSession } }

    private func close(_ isMeant: (Dictionary<String, Session>.Element) -> Bool) -> [String] {
        let ended = sessions.filter(isMeant)
        sessions = sessions.filter { $0.value.ends > .now && !isMeant($0) }
        // A user's browsers share the tokens.
        return Set(ended.values.map(\.user)).subtracting(sessions.values.map(\.user)).sorted()
    }

    /// 256 bits from the system's source of secrets.
    private static func randomName() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    }
}
