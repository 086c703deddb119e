// Licensed under the MIT License. See LICENSE.

public import Foundation
import HTTPTypes
import MSALBase

/// A request that the emulator has responded to.
///
/// Its printed form and `query`, `form`, and `headers` never show secrets; a test that needs one requests it by name.
/// Values longer than 8,192 bytes are truncated, and only the first 100 parameters are kept.
public struct JournalEntry: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of the request. It increases from 1 as long as the emulator runs, even after a reset.
    public internal(set) var id = 0
    /// The emulated time.
    public let date: Date
    /// `GET`, `POST`, and so on.
    public let method: String
    /// The path without the query.
    public let path: String
    /// The status of the response; 0 for a connection that a fault closed.
    public let status: Int
    /// The ID that the client sent, or the one that the emulator generated.
    public let correlationID: String
    /// The rule behind the refusal of the request; `nil` if it was not refused, or if a fault caused the failure.
    public let refusal: Refusal?
    /// How the emulator signed a user in without any input; `nil` for every other request.
    public let remark: String?
    /// The token that a test requested without a sign-in, if the entry is about such a token; `nil` for a client's
    /// request.
    public let minted: Minted?
    /// The original length of the path in bytes.
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

    /// Creates an entry about a token that was issued without a sign-in.
    init(minted: Minted, at date: Date) {
        self.date = date
        self.minted = minted
        remark = nil
        (method, path, pathLength, status, refusal) = ("POST", "/tokens", "/tokens".utf8.count, 201, nil)
        correlationID = UUID().uuidString.lowercased()
        (secretQuery, secretForm, secretHeaders) = ([:], [:], [:])
    }

    /// The decoded query, with masked secrets.
    public var query: [String: String] { Self.redacted(secretQuery) }
    /// The decoded form, with masked secrets.
    public var form: [String: String] { Self.redacted(secretForm) }
    /// The header fields by lower-case name, with masked secrets.
    public var headers: [String: String] { Self.redacted(secretHeaders) }

    /// A form or query parameter exactly as it was sent, including secrets. Do not print it.
    public func revealedParameter(_ name: String) -> String? {
        secretForm[name] ?? secretQuery[name]
    }

    /// One line: method, path, parameters with masked secrets, status, and the number of a refusal.
    public var description: String {
        let parameters = query.merging(form) { _, posted in posted }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
            .joined(separator: "&")
        let rule = refusal.map { " \($0.rule)" } ?? ""
        return "\(method) \(path)\(parameters.isEmpty ? "" : " " + parameters) → \(status)\(rule)"
    }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// A token that a test requested without a sign-in. The token itself is not stored.
    public struct Minted: Sendable, Equatable {
        /// The user of the token; `nil` for an app-only token.
        public let user: String?
        /// The application, if one was specified.
        public let application: String?
        /// The API.
        public let api: String
        /// The intentional flaw, if there is one.
        public let flaw: String?
    }

    /// The approximate memory usage of the entry in bytes. Its other strings, such as the correlation ID, have known
    /// lengths, which are part of the constant.
    var size: Int {
        let texts = [path, refusal?.message, remark, minted?.user, minted?.application, minted?.api]
        return 256 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + [secretQuery, secretForm, secretHeaders].reduce(0) { $0 + JournalText.size(of: $1) }
    }

    private static func redacted(_ values: [String: String]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                (name, isShown(name.lowercased()) ? value : Secret(value).description)
            }
        )
    }

    /// Whether the value of a field may be shown. Any field that is not listed may contain a secret, so a new field is
    /// masked until its name is added here.
    private static func isShown(_ name: String) -> Bool {
        shownNames.contains(name) || shownPrefixes.contains { name.hasPrefix($0) }
    }

    /// Options of Graph, and header fields that browsers and client libraries send about themselves.
    private static let shownPrefixes = ["$", "accept", "access-control-request-", "sec-", "x-client-", "x-forwarded-"]

    private static let shownNames = Set(
        """
        account action answer api api-version app attributes audience authorization_endpoint bypass_cache capabilities \
        challenge_channel challenge_target challenge_type change claims client-request-id client_assertion_type client_id \
        client_info code_challenge code_challenge_method contact count domain_hint done effect endpoint environment error \
        error_codes error_description error_subcode fmi_path grant_type instance_aware interval lc login login_hint \
        loginfmt logout_hint max_age mi_res_id mkt msi_res_id name nonce object_id p path person \
        post_logout_redirect_uri principal_id prompt redirect_uri ref repository req_cnf requested_token_use resource \
        response_mode response_type return-client-request-id scope seconds serviceconnectionid sso_reload state subject \
        token_type ui_locales user username x-app-name x-app-ver \
        cache-control connection consistencylevel content-length content-type date dnt expect host if-match \
        if-none-match metadata origin pragma prefer priority te traceparent transfer-encoding upgrade-insecure-requests \
        user-agent x-anchormailbox x-ms-client-request-id x-ms-correlation-id x-ms-lib-capability x-requested-with …
        """.split(separator: " ").map(String.init)
    )
}
