// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// A signed-in user in one browser.
package struct WebSession: Sendable {
    /// The home account identifier, which gives access to the user's tokens.
    package let user: String
    /// The text that forms of this session send, so that no other site can submit them.
    package let formToken: Secret
    /// The claims of the ID token of the sign-in.
    package let claims: [String: MSALClaimValue]
}

extension WebSession {
    /// Reads what ``bytes`` wrote; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        var reader = ValueReader(bytes)
        // Bytes in another format are a result, not an error.
        guard let user = try? reader.text(), let formToken = try? reader.text(), let claims = try? reader.claims(),
            reader.isAtEnd
        else { return nil }
        self.init(user: user, formToken: Secret(formToken), claims: claims)
    }

    var bytes: [UInt8] {
        var writer = ValueWriter()
        writer.write(text: user)
        writer.write(text: formToken.exposed)
        writer.write(claims: claims)
        return writer.bytes
    }

    /// The owners of the lists that contain the session: its user, and its session at the service if that is known.
    var lists: [WebSessions.Owner] {
        guard let issuer = claims["iss"]?.string, let id = claims["sid"]?.string else { return [.user(user)] }
        return [.user(user), .serviceSession(id, issuer: issuer)]
    }
}
