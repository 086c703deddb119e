// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSALServer

/// The token of an application or a machine, the name of its owner, and its source. The token itself is shown only if
/// the user asks for it.
struct ServiceTokenReport: Report, Encodable {
    var identity: String
    var tenant: String?
    var scopes: [String]
    var expiresOn: Date
    var tokenType: String
    var source: String
    var correlationId: String?
    var token: PrivateText
    var showsToken: Bool
    /// The seconds that the call took, with `--debug`.
    var durations: [String: Double]?

    init(_ result: MSALTokenResult, identity: String, showsToken: Bool, isDebug: Bool = false) {
        self.identity = identity
        tenant = result.tenantIdentifier
        scopes = result.scopes
        expiresOn = result.expiresOn
        tokenType = result.tokenType
        source = result.source.rawValue
        correlationId = result.correlationID?.uuidString
        token = PrivateText(result.accessToken)
        self.showsToken = showsToken
        guard isDebug else { return }
        durations = ["total": result.totalDuration, "network": result.networkDuration, "store": result.storeDuration]
            .mapValues { $0 / .seconds(1) }
    }

    func text(_ style: Style) -> TerminalText {
        var rows: [(String, TerminalText)] = [("Identity", style.strong(identity))]
        if let tenant { rows.append(("Tenant", "\(tenant)")) }
        rows += [
            ("Scopes", "\(scopes.joined(separator: " "))"), ("Expires", "\(expiresOn.formatted(.iso8601))"),
            ("Source", "\(source)"),
        ]
        if showsToken { rows.append(("Token", "\(token.exposed)")) }
        let lines = table(rows, style: style)
        return showsToken ? lines : lines + "\n" + style.faint("Use --output raw to print the token.")
    }

    var raw: String { token.exposed }

    private enum CodingKeys: String, CodingKey {
        case identity, tenant, scopes, expiresOn, tokenType, source, correlationId, durations, accessToken
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(identity, forKey: .identity)
        try members.encode(tenant, forKey: .tenant)
        try members.encode(scopes, forKey: .scopes)
        try members.encode(expiresOn, forKey: .expiresOn)
        try members.encode(tokenType, forKey: .tokenType)
        try members.encode(source, forKey: .source)
        try members.encode(correlationId, forKey: .correlationId)
        try members.encodeIfPresent(durations, forKey: .durations)
        if showsToken { try members.encode(token.exposed, forKey: .accessToken) }
    }
}
