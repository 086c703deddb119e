// Licensed under the MIT License. See LICENSE.

/// The method by which an application authenticated. The numbers are those of the claims `azpacr` and `appidacr`.
enum AuthenticationMethod: Int, Sendable, Codable {
    /// The application did not authenticate: it is a public client.
    case none = 0
    /// The application sent a secret.
    case secret = 1
    /// The application sent an assertion: with a certificate, or a token of a foreign issuer. Or it showed a
    /// certificate at the connection.
    case assertion = 2
}
