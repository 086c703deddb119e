// Licensed under the MIT License. See LICENSE.

import Foundation

/// The keys of external issuers, fetched when a token first needs them and then cached.
actor ForeignKeys {
    private struct Entry {
        let keys: [EmulatorDirectory.JSONWebKey]
        let readAt: Date
    }

    private let documents: IssuerDocuments
    private var entries: [String: Entry] = [:]
    /// The requests in progress, so that concurrent lookups share one.
    private var readings: [String: Task<[EmulatorDirectory.JSONWebKey], any Error>] = [:]

    /// The cache lifetime of keys, in seconds.
    private static let lifetime: TimeInterval = 86_400
    /// The minimum interval, in seconds, between two fetches for an unknown key. Any client can put any key ID into a
    /// token.
    private static let pause: TimeInterval = 300

    init(documents: IssuerDocuments) { self.documents = documents }

    /// The keys of an issuer. The caller has checked that a federated credential names it.
    ///
    /// `keyID`: The key that a token names. `now`: The emulated time, which determines the cache lifetime.
    /// - Throws: `IssuerDocuments.Failure`.
    func keys(of issuer: String, keyID: String?, now: Date) async throws -> [EmulatorDirectory.JSONWebKey] {
        if let entry = entries[issuer] {
            let age = now.timeIntervalSince(entry.readAt)
            let isKnown = keyID == nil || entry.keys.contains { $0.keyID == keyID }
            if (0..<(isKnown ? Self.lifetime : Self.pause)).contains(age) { return entry.keys }
        }
        let reading = readings[issuer] ?? read(issuer)
        defer { readings[issuer] = nil }
        let keys = try await reading.value
        entries[issuer] = Entry(keys: keys, readAt: now)
        return keys
    }

    private func read(_ issuer: String) -> Task<[EmulatorDirectory.JSONWebKey], any Error> {
        let documents = documents
        // Awaited by every request that needs these keys; it ends by its own timeouts.
        let reading = Task { try await documents.keys(of: issuer) }
        readings[issuer] = reading
        return reading
    }

    /// Removes all keys.
    func removeAll() { entries = [:] }
}
