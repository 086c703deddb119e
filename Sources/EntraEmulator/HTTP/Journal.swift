// Licensed under the MIT License. See LICENSE.

public import Foundation
import HTTPTypes
import Synchronization

/// One request that the emulator has responded to.
///
/// Its printed form and `query`, `form`, `headers` never show secrets; a test that needs one asks for it by name.
public struct JournalEntry: Sendable, CustomStringConvertible, CustomReflectable {
    /// The emulated time.
    public let date: Date
    /// `GET`, `POST` and so on.
    public let method: String
    /// The path without the query.
    public let path: String
    /// The status of the response; 0 for a connection that a fault dropped.
    public let status: Int
    /// The id the client sent, or the one the emulator made.
    public let correlationID: String
    private let secretQuery: [String: String]
    private let secretForm: [String: String]
    private let secretHeaders: [String: String]

    init(_ exchange: Exchange, status: Int) {
        date = exchange.now
        method = exchange.method.rawValue
        path = exchange.path
        self.status = status
        correlationID = exchange.correlationID
        secretQuery = exchange.query.dictionary
        secretForm = exchange.form.dictionary
        secretHeaders = Dictionary(
            exchange.headers.map { ($0.name.canonicalName, $0.value) }
        ) { first, _ in first }
    }

    /// The decoded query, secrets replaced.
    public var query: [String: String] { Self.redacted(secretQuery) }
    /// The decoded form, secrets replaced.
    public var form: [String: String] { Self.redacted(secretForm) }
    /// The header fields by lower-case name, secrets replaced.
    public var headers: [String: String] { Self.redacted(secretHeaders) }

    /// A form or query parameter exactly as it was sent, secrets included. Do not print it.
    public func revealedParameter(_ name: String) -> String? {
        secretForm[name] ?? secretQuery[name]
    }

    /// One line: method, path, parameters without their secrets, status.
    public var description: String {
        let parameters = query.merging(form) { _, posted in posted }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
            .joined(separator: "&")
        return "\(method) \(path)\(parameters.isEmpty ? "" : " " + parameters) → \(status)"
    }

    /// Shows what `description` shows.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }

    private static func redacted(_ values: [String: String]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                (name, secretNames.contains(name.lowercased()) ? Secret.placeholder : value)
            }
        )
    }

    private static let secretNames: Set<String> = [
        "passwd", "password", "code", "code_verifier", "refresh_token", "access_token", "id_token", "assertion",
        "new_password", "oob", "otc", "continuation_token", "client_secret", "client_assertion", "device_code", "csrf",
        "flow",
        "id_token_hint", "authorization", "proxy-authorization", "cookie",
    ]
}

/// The requests since the start, or since the last reset; the oldest go first when there are too many.
final class Journal: Sendable {
    private let storage = Mutex<[JournalEntry]>([])
    private static let limit = 10_000

    /// All entries, oldest first.
    var entries: [JournalEntry] { storage.withLock { $0 } }

    /// Adds an entry.
    func append(_ entry: JournalEntry) {
        storage.withLock { entries in
            if entries.count >= Self.limit { entries.removeFirst(Self.limit / 10) }
            entries.append(entry)
        }
    }

    /// Forgets all entries.
    func clear() {
        storage.withLock { $0.removeAll() }
    }
}
