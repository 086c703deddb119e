// Licensed under the MIT License. See LICENSE.

import MSALBase

/// An error as the service reports it: an OAuth error code together with an AADSTS number.
///
/// `ErrorRendering` decides whether it becomes JSON, a page, or a redirect. The extensions contain one member for each
/// error, so that numbers and error codes are paired in a single place.
struct EntraError: Error, Sendable, Equatable {
    /// The AADSTS number.
    let number: Int
    /// The OAuth `error`.
    let error: String
    /// The text of the service, for developers. It may repeat parts of the request, so every renderer escapes it.
    /// ``tenantPlaceholder`` in it stands for the name of the request's tenant.
    var message: String
    /// The HTTP status of the JSON and page forms.
    var status = 400
    /// The `suberror` member, if the service sends one.
    var suberror: String?
    /// Additional members of the JSON form.
    var members: [String: JSONValue] = [:]
    /// Whether the service links a page about the number (`error_uri`).
    var hasPage = true

    /// Stands for the tenant in a message. The factories of errors do not know it.
    static let tenantPlaceholder = "{tenant}"

    /// Returns the error with the name of the request's tenant in its message.
    func inTenant(_ name: String) -> EntraError {
        guard message.contains(Self.tenantPlaceholder) else { return self }
        var copy = self
        copy.message = message.replacing(Self.tenantPlaceholder, with: name)
        return copy
    }

    /// Returns the error with additional members of the JSON form.
    func with(_ members: [String: JSONValue]) -> EntraError {
        var copy = self
        copy.members.merge(members) { _, new in new }
        return copy
    }
}

/// The most common OAuth errors (RFC 6749 §5.2, OpenID Connect Core §3.1.2.6).
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

    /// The client does not authenticate correctly.
    static func invalidClient(_ number: Int, message: String) -> EntraError {
        EntraError(number: number, error: "invalid_client", message: message, status: 401)
    }
}
