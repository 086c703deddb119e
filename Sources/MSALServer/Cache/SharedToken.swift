// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// An access token as stored. Its times are the durations that remained when it was written, so that the clocks of the
/// instances need not agree.
///
/// `entry` is the plain name of the value. Most tokens repeat its strings, which are not written again.
enum SharedToken {
    /// The token as bytes, which are secret.
    static func bytes(of token: CachedAccessToken, named entry: [String], at now: Int64) -> [UInt8] {
        var writer = ValueWriter(knowing: entry)
        writer.write(signed: token.expiresAt - now)
        writer.write(optional: token.refreshAt) { $0.write(signed: $1 - now) }
        writer.write(optional: token.extendedExpiresAt) { $0.write(signed: $1 - now) }
        writer.write(text: token.accessToken.exposed)
        writer.write(text: token.tokenType)
        writer.write(optional: token.keyID) { $0.write(text: $1) }
        writer.write(texts: token.scopes)
        writer.write(optional: token.tenant) { $0.write(text: $1) }
        writer.write(optional: token.correlationID) { writer, id in
            writer.write(raw: withUnsafeBytes(of: id.uuid) { Array($0) })
        }
        return writer.bytes
    }

    /// Reads what ``bytes(of:named:at:)`` wrote; `nil` for anything else, and for a token that has ended.
    ///
    /// `remaining` is the time until the value ends, by the store's clock. It began as the time that the token had left.
    static func token(
        _ bytes: [UInt8],
        named entry: [String],
        remaining: Duration,
        of user: TokenUser?,
        at now: Int64
    ) -> CachedAccessToken? {
        var reader = ValueReader(bytes, knowing: entry)
        // Bytes in another format are a result, not an error.
        return try? reader.token(remaining: remaining.components.seconds, of: user, at: now)
    }

    /// A century. Times beyond it are damage.
    fileprivate static let longest: Int64 = 100 * 366 * 86_400
}

extension ValueReader {
    fileprivate mutating func token(
        remaining: Int64,
        of user: TokenUser?,
        at now: Int64
    ) throws(Fault) -> CachedAccessToken {
        let left = try seconds()
        // If a store reports more time than was written, the lesser time applies.
        let remaining = min(remaining, left)
        guard remaining > 0 else { throw Fault() }
        let writing = now - (left - remaining)
        let refreshAt = try hasValue() ? writing + seconds() : nil
        let extendedExpiresAt = try hasValue() ? writing + seconds() : nil
        let token = Secret(try text())
        let binding = CachedAccessToken.Binding(type: try text(), keyID: try hasValue() ? text() : nil)
        let scopes = try texts()
        let tenant = try hasValue() ? text() : nil
        let correlationID = try hasValue() ? id() : nil
        guard isAtEnd else { throw Fault() }
        return CachedAccessToken(
            accessToken: token,
            binding: binding,
            life: CachedAccessToken.Life(
                until: now + remaining,
                refreshAt: refreshAt,
                extendedExpiresAt: extendedExpiresAt
            ),
            scopes: scopes,
            tenant: tenant,
            correlationID: correlationID,
            user: user
        )
    }

    private mutating func seconds() throws(Fault) -> Int64 {
        let seconds = try signed()
        guard (-SharedToken.longest...SharedToken.longest).contains(seconds) else { throw Fault() }
        return seconds
    }

    private mutating func id() throws(Fault) -> UUID {
        UUID(uuid: try raw(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
