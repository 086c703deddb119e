// Licensed under the MIT License. See LICENSE.

/// How an application authenticated. The numbers are those of the claims `azpacr` and `appidacr`.
enum AuthenticationMethod: Int, Sendable, Codable {
    /// The application did not authenticate: it is a public client.
    case none = 0
    /// The application sent a secret.
    case secret = 1
    /// The application sent an assertion, signed with a certificate or issued by an external issuer, or it presented a
    /// certificate on the connection.
    case assertion = 2
}
