// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The source of a token, and the request that brought it.
struct TokenProvenance {
    var source: String
    var reason: String
    var isPersisted: Bool
    var correlationId: String
}

/// A token, its scopes and its expiry. The token itself is shown only in raw form, or if the user asks for it.
struct TokenReport: Report, Encodable {
    var account: AccountMembers
    var scopes: [String]
    var expiresOn: Date
    /// The source of the token; native authentication does not tell it.
    var origin: TokenProvenance?
    var token: PrivateText
    var showsToken: Bool
    /// The seconds that the request took, with `--debug`.
    var durations: [String: Double]?

    func text(_ style: Style) -> TerminalText {
        var rows: [(String, TerminalText)] = [
            ("Account", style.strong(account.username)),
            ("Scopes", "\(scopes.joined(separator: " "))"),
            ("Expires", "\(expiresOn.formatted(.iso8601))"),
        ]
        if let origin { rows.append(("Source", "\(origin.source), \(origin.reason)")) }
        if showsToken { rows.append(("Token", "\(token.exposed)")) }
        let lines = table(rows, style: style)
        return showsToken ? lines : lines + "\n" + style.faint("Use --output raw to print the token.")
    }

    var raw: String { token.exposed }
}

extension TokenReport {
    private enum CodingKeys: String, CodingKey {
        case account, scopes, expiresOn, tokenType, source, sourceReason, isPersisted, correlationId, durations
        case accessToken
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(scopes, forKey: .scopes)
        try members.encode(expiresOn, forKey: .expiresOn)
        try members.encode("Bearer", forKey: .tokenType)
        if let origin {
            try members.encode(origin.source, forKey: .source)
            try members.encode(origin.reason, forKey: .sourceReason)
            try members.encode(origin.isPersisted, forKey: .isPersisted)
            try members.encode(origin.correlationId, forKey: .correlationId)
        }
        try members.encodeIfPresent(durations, forKey: .durations)
        if showsToken { try members.encode(token.exposed, forKey: .accessToken) }
    }

    init(_ result: MSALResult, showsToken: Bool, isDebug: Bool = false) {
        self.init(
            account: AccountMembers(result.account),
            scopes: result.scopes,
            expiresOn: result.expiresOn ?? .distantPast,
            origin: TokenProvenance(
                source: result.source.origin.rawValue,
                reason: result.source.reason,
                isPersisted: result.isPersisted,
                correlationId: result.correlationId.uuidString
            ),
            token: PrivateText(result.accessToken),
            showsToken: showsToken
        )
        guard isDebug else { return }
        durations = ["total": result.totalDuration, "network": result.networkDuration, "store": result.storeDuration]
            .mapValues { $0 / .seconds(1) }
    }
}
