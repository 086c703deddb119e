// Licensed under the MIT License. See LICENSE.

public import Foundation
import HTTPTypes
import MSALBase

/// One request that the emulator has responded to.
///
/// Its printed form and `query`, `form`, `headers` never show secrets; a test that needs one asks for it by name. A value of
/// more than 8,192 bytes is kept as its beginning with its length, and of more than 100 parameters the first are kept.
public struct JournalEntry: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of the request. It grows from 1 as long as the emulator runs; a reset does not change that.
    public internal(set) var id = 0
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
    /// The rule behind the refusal of the request; `nil` for one that was not refused, or that a fault ended.
    public let refusal: Refusal?
    /// How the emulator signed in a person who typed nothing; `nil` for every other request.
    public let remark: String?
    /// The token that a test got without a sign-in, if the entry is about such a token; `nil` for a client's request.
    public let minted: Minted?
    /// The bytes of the path as it was sent.
    let pathLength: Int
    private let secretQuery: [String: String]
    private let secretForm: [String: String]
    private let secretHeaders: [String: String]

    init(_ exchange: Exchange, status: Int, refusal: Refusal? = nil, remark: String? = nil) {
        date = exchange.now
        method = JournalText.shortened(exchange.method.rawValue, to: JournalText.nameLimit)
        pathLength = exchange.path.utf8.count
        path = JournalText.shortened(exchange.path, to: JournalText.pathLimit)
        self.status = status
        self.refusal = refusal
        self.remark = remark
        minted = nil
        correlationID = exchange.correlationID
        secretQuery = JournalText.shortened(exchange.query.pairs)
        secretForm = JournalText.shortened(exchange.form.pairs)
        secretHeaders = JournalText.shortened(
            exchange.headers.lazy.map { (name: $0.name.canonicalName, value: $0.value) }
        )
    }

    /// An entry about a token that was made without a sign-in.
    init(minted: Minted, at date: Date) {
        self.date = date
        self.minted = minted
        remark = nil
        (method, path, pathLength, status, refusal) = ("POST", "/tokens", "/tokens".utf8.count, 201, nil)
        correlationID = UUID().uuidString.lowercased()
        (secretQuery, secretForm, secretHeaders) = ([:], [:], [:])
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

    /// One line: method, path, parameters without their secrets, status, and the number of a refusal.
    public var description: String {
        let parameters = query.merging(form) { _, posted in posted }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
            .joined(separator: "&")
        let rule = refusal.map { " \($0.rule)" } ?? ""
        return "\(method) \(path)\(parameters.isEmpty ? "" : " " + parameters) → \(status)\(rule)"
    }

    /// Shows what `description` shows.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }

    /// A token that a test got without a sign-in. Its text is not kept.
    public struct Minted: Sendable, Equatable {
        /// The user that it is about; `nil` for an application's own token.
        public let user: String?
        /// The application that was named, if one was.
        public let application: String?
        /// The API.
        public let api: String
        /// The fault that was made on purpose, if there was one.
        public let flaw: String?
    }

    /// The bytes of memory that the entry takes, approximately. Its other texts, such as the correlation id, have a length
    /// that is known, and are in the first number.
    var size: Int {
        let texts = [path, refusal?.message, remark, minted?.user, minted?.application, minted?.api]
        return 256 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + [secretQuery, secretForm, secretHeaders].reduce(0) { $0 + JournalText.size(of: $1) }
    }

    private static func redacted(_ values: [String: String]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                (name, secretNames.contains(name.lowercased()) ? Secret(value).description : value)
            }
        )
    }

    private static let secretNames: Set<String> = [
        "passwd", "password", "code", "code_verifier", "refresh_token", "access_token", "id_token", "assertion",
        "new_password", "oob", "otc", "continuation_token", "client_secret", "client_assertion", "device_code", "csrf",
        "flow",
        "id_token_hint", "authorization", "secret", "x-identity-header", "proxy-authorization", "cookie",
        "request", "x-ms-refreshtokencredential",
    ]
}
