// Licensed under the MIT License. See LICENSE.

/// The part of a token request that belongs to one grant (RFC 6749 §4). Each grant is declared next to its flow.
package protocol TokenGrant: Sendable {
    /// The `grant_type`.
    var grantType: String { get }
    /// The parameters other than `grant_type`, `client_id`, and `scope`.
    var parameters: FormBody { get }
    /// The cases in which the request may be sent again. By default these are all.
    var repetition: HTTPMessage.Repetition { get }
}

extension TokenGrant {
    package var repetition: HTTPMessage.Repetition { .always }
}
