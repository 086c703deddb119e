// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALBase

/// The sessions of browsers.
extension EmulatorStore {
    /// The unexpired sessions of any of the cookies, the latest sign-in first.
    func sessions(cookies: [Secret], now: Date) async throws -> [BrowserSession] {
        let digests = cookies.map(\.digest)
        guard !digests.isEmpty else { return [] }
        return try read { db in
            let marks = databaseQuestionMarks(count: digests.count)
            let all: [BrowserSession] = try db.allJSON(
                "SELECT json FROM session WHERE cookie IN (\(marks)) ORDER BY user",
                with: StatementArguments(digests)
            ).map(Self.decode)
            var seen: Set<String> = []
            return all.filter { $0.expiresAt > now }
                .sorted { $0.authenticatedAt > $1.authenticatedAt }
                .filter { seen.insert($0.userID).inserted }
        }
    }

    /// Signs the user in to the browser with a cookie. The applications that they have used there are kept.
    func save(_ session: BrowserSession, cookie: Secret) async throws {
        try write { db in
            var session = session
            if session.visits == nil {
                let earlier = try db.json(
                    "SELECT json FROM session WHERE cookie = ? AND user = ?",
                    with: [cookie.digest, session.userID]
                )
                session.visits = try earlier.map { try Self.decode($0) as BrowserSession }?.visits
            }
            try db.run(
                "INSERT OR REPLACE INTO session (cookie, user, json) VALUES (?, ?, ?)",
                with: [cookie.digest, session.userID, try Self.encode(session)]
            )
            try Self.keepNewest(of: "session", in: db)
        }
    }

    private static let visitLimit = 100

    /// Records that a user has used an application in the browser with the cookies.
    func note(_ visit: BrowserSession.Visit, of userID: String, cookies: [Secret]) async throws {
        for cookie in cookies {
            for var session in try await sessions(cookies: [cookie], now: .distantPast) where session.userID == userID {
                session.visits = ((session.visits ?? []) + [visit]).suffix(Self.visitLimit)
                try await save(session, cookie: cookie)
            }
        }
    }

    /// Moves the sessions of a cookie to another one, which invalidates the old cookie.
    func moveSessions(from old: Secret, to new: Secret) async throws {
        try change { db in
            try db.run("UPDATE OR REPLACE session SET cookie = ? WHERE cookie = ?", with: [new.digest, old.digest])
        }
    }

    /// Signs one user, or all users, out of the browser with the cookies. Returns their sign-ins to applications.
    func removeSessions(cookies: [Secret], userID: String? = nil) async throws -> [BrowserSession.Visit] {
        let rows = "FROM session WHERE cookie = ? AND (? IS NULL OR user = ?)"
        return try write { db in
            var visits: [BrowserSession.Visit] = []
            for cookie in cookies {
                let arguments: StatementArguments = [cookie.digest, userID, userID]
                for json in try db.allJSON("SELECT json \(rows)", with: arguments) {
                    let session: BrowserSession = try Self.decode(json)
                    visits += (session.visits ?? []).filter { !visits.contains($0) }
                }
                try db.run("DELETE \(rows)", with: arguments)
            }
            return visits
        }
    }
}
