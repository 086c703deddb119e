// Licensed under the MIT License. See LICENSE.

/// How an application authenticated. The numbers are those of the claims `azpacr` and `appidacr`.
enum AuthenticationMethod: Int, Sendable, Codable {
    /// The application did not authenticate: it is a public client.
    case none = 0
    /// By a secret.
    case secret = 1
    /// By an assertion: with a certificate, or a token of a foreign issuer. Or by the certificate of the connection.
    case assertion = 2
}
