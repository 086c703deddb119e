// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A failure as the service reports it: an OAuth error code together with an AADSTS number.
///
/// `ErrorRendering` decides whether it becomes JSON, a page or a redirect. The extensions are the catalogue: one member
/// for each situation, so that numbers and error codes are paired there only.
struct EntraError: Error, Sendable, Equatable {
    /// The AADSTS number.
    let number: Int
    /// The OAuth `error`.
    let error: String
    /// One sentence for a developer. It may repeat parts of the request, so every renderer escapes it.
    let message: String
    /// The HTTP status of the JSON and page forms.
    var status = 400
    /// The `suberror` member, where the service sends one.
    var suberror: String?
    /// Further members of the JSON form.
    var members: [String: JSONValue] = [:]

    /// The failure with further members of the JSON form.
    func with(_ members: [String: JSONValue]) -> EntraError {
        var copy = self
        copy.members.merge(members) { _, new in new }
        return copy
    }
}

/// The OAuth errors that most failures have (RFC 6749 §5.2, OpenID Connect Core §3.1.2.6).
extension EntraError {
    static func invalidRequest(_ number: Int, message: String, suberror: String? = nil) -> EntraError {
        EntraError(number: number, error: "invalid_request", message: message, suberror: suberror)
    }

    static func invalidGrant(_ number: Int, message: String, suberror: String? = nil) -> EntraError {
        EntraError(number: number, error: "invalid_grant", message: message, suberror: suberror)
    }

    static func interactionRequired(_ number: Int, message: String, suberror: String? = nil) -> EntraError {
        EntraError(number: number, error: "interaction_required", message: message, suberror: suberror)
    }

    /// The application does not authenticate as it should.
    static func invalidClient(_ number: Int, message: String) -> EntraError {
        EntraError(number: number, error: "invalid_client", message: message, status: 401)
    }
}
