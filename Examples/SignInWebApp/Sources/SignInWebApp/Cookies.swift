// Licensed under the MIT License. See LICENSE.

import Hummingbird

/// The two cookies. Each contains only a random name, and scripts cannot read it.
enum Cookies {
    // The prefix binds a cookie to this host and to TLS (RFC 6265bis §4.1.3.2).
    static let session = "__Host-session"
    static let signIn = "__Host-signin"

    /// The user's session. Browsers send it from this site's own pages, and when a link leads here.
    static func session(_ name: String, lifetime: Int = Int(Sessions.length)) -> Cookie {
        Cookie(name: session, value: name, maxAge: lifetime, path: "/", secure: true, sameSite: .lax)
    }

    /// The pending sign-in. Browsers send it with the service's form, which comes from another site.
    static func signIn(_ name: String) -> Cookie {
        Cookie(
            name: signIn,
            value: name,
            maxAge: Int(Sessions.visitLength),
            path: "/",
            secure: true,
            sameSite: .none
        )
    }
}
