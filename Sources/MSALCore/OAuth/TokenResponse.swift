// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// A response of the token endpoint that carries no error (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3;
/// docs/reference/Protocol.md#response-members).
package struct TokenResponse: Sendable {
    package var accessToken: Secret?
    package var refreshToken: Secret?
    package var idToken: Secret?
    package var tokenType: String?
    /// The granted scopes. `nil` stands for those that were asked for.
    package var scope: String?
    package var expiresOn: Date
    /// Whether the response says how long its access token lives.
    package let namesLifetime: Bool
    package var extendedExpiresOn: Date?
    package var refreshOn: Date?
    /// The family of clients that share the refresh token (`foci`).
    package var familyID: String?
    package var clientInfo: String?
    package let receivedAt: Date
    /// The service's time from the `Date` header. It shows whether this machine's clock is wrong.
    package let serverDate: Date?

    /// A token that cannot be sent in a header. A line break in it would begin another header.
    package struct UnsendableToken: Error {
        package let message: String
    }

    /// Reads the members. A member of a wrong type counts as absent.
    ///
    /// Relative lifetimes count from `now`, the time of arrival. Without a lifetime it is one hour.
    ///
    /// - Throws: `UnsendableToken` for an access token or an ID token without the form of RFC 6750 §2.1. Use nothing of
    ///   the response.
    package init(members: [String: JSONValue], receivedAt now: Date, serverDate: Date? = nil) throws(UnsendableToken) {
        func text(_ name: String) -> String? {
            guard let value = members[name]?.string?.trimmed, !value.isEmpty else { return nil }
            return value
        }
        // Apps send ID tokens to their own services.
        for (name, words) in [("access_token", "access token"), ("id_token", "ID token")] {
            guard text(name)?.isBearerToken != false else {
                throw UnsendableToken(
                    message: "The \(words) in the service's response has characters that no token has. Nothing of the "
                        + "response was used."
                )
            }
        }
        func moment(_ relative: String, orAt absolute: String) -> Date? {
            if let value = members[absolute]?.double, value.isFinite, abs(value) < 3.2e10 {
                return Date(timeIntervalSince1970: value.rounded(.down))
            }
            // A lifetime beyond a century is a mistake of the sender and would overflow the store's integers.
            guard let value = members[relative]?.double, value.isFinite, abs(value) < 3.2e9 else { return nil }
            return Date(timeIntervalSince1970: (now.timeIntervalSince1970 + value).rounded(.down))
        }
        accessToken = text("access_token").map(Secret.init)
        refreshToken = text("refresh_token").map(Secret.init)
        idToken = text("id_token").map(Secret.init)
        tokenType = text("token_type")
        scope = text("scope")
        let end = moment("expires_in", orAt: "expires_on")
        expiresOn = end ?? now.addingTimeInterval(3600)
        namesLifetime = end != nil
        extendedExpiresOn = moment("ext_expires_in", orAt: "ext_expires_on")
        refreshOn = moment("refresh_in", orAt: "refresh_on")
        familyID = text("foci")
        clientInfo = text("client_info")
        receivedAt = now
        self.serverDate = serverDate
    }
}

extension String {
    /// Whether the text has the form of a bearer token, which is `b64token` of RFC 6750 §2.1: letters, digits and
    /// `-._~+/`, then any number of `=`.
    package var isBearerToken: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "=") }) else { return false }
            return bytes[...last].allSatisfy { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }
        }
    }
}
