// Licensed under the MIT License. See LICENSE.

/// What one grant adds to a token request (RFC 6749 §4). A new grant is a new value of its own, in its flow's folder.
package protocol TokenGrant: Sendable {
    /// The `grant_type`.
    var grantType: String { get }
    /// The parameters beside `grant_type`, `client_id` and `scope`.
    var parameters: FormBody { get }
    /// When the request may be sent again; always, unless the grant says otherwise.
    var repetition: HTTPMessage.Repetition { get }
}

extension TokenGrant {
    package var repetition: HTTPMessage.Repetition { .always }
}
