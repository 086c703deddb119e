// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// An access token as a store holds it. Its times are what was left of them at the writing, so that the clocks of the
/// instances need not agree.
enum SharedToken {
    /// The token as bytes, which are secret.
    static func bytes(of token: AppToken, at now: Int64) -> [UInt8] {
        var members: [String: JSONValue] = [
            "token": .string(token.accessToken.exposed),
            "type": .string(token.tokenType),
            "left": .integer(token.expiresAt - now),
            "scopes": .array(token.scopes.map(JSONValue.string)),
        ]
        members["refresh"] = token.refreshAt.map { .integer($0 - now) }
        members["extended"] = token.extendedExpiresAt.map { .integer($0 - now) }
        members["tenant"] = token.tenant.map(JSONValue.string)
        members["key"] = token.keyID.map(JSONValue.string)
        members["request"] = token.correlationID.map { .string($0.uuidString) }
        return JSONWriter.bytes(of: .object(members))
    }

    /// Reads what ``bytes(of:at:)`` wrote; `nil` for anything else, and for a token that has ended.
    ///
    /// `remaining` is the time until the value ends, by the store's clock. It began as the time that the token had left.
    static func token(_ bytes: [UInt8], remaining: Duration, of user: TokenUser?, at now: Int64) -> AppToken? {
        guard let members = JSONValue(parsing: Data(bytes))?.object, let text = members["token"]?.string,
            let type = members["type"]?.string, let scopes = members["scopes"]?.array,
            case .integer(let left) = members["left"], (1...Self.longest).contains(left)
        else { return nil }
        // A store that gives more time than it was told changes nothing.
        let remaining = min(remaining.components.seconds, left)
        guard remaining > 0 else { return nil }
        let writing = now - (left - remaining)
        func moment(_ name: String) -> Int64? {
            guard case .integer(let seconds) = members[name], (-longest...longest).contains(seconds) else { return nil }
            return writing + seconds
        }
        return AppToken(
            accessToken: Secret(text),
            binding: AppToken.Binding(type: type, keyID: members["key"]?.string),
            life: AppToken.Life(
                until: now + remaining,
                refreshAt: moment("refresh"),
                extendedExpiresAt: moment("extended")
            ),
            scopes: scopes.compactMap(\.string),
            tenant: members["tenant"]?.string,
            correlationID: members["request"]?.string.flatMap { UUID(uuidString: $0) },
            user: user
        )
    }

    /// A century. Times beyond it are damage.
    private static let longest: Int64 = 100 * 366 * 86_400
}
