// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A failure as the service reports it: an OAuth error code together with an AADSTS number.
///
/// `ErrorRendering` decides whether it becomes JSON, a page or a redirect. The extensions are the catalogue: one factory
/// for each situation, so that numbers and error codes are paired there only.
struct EntraError: Error, Sendable, Equatable {
    /// The AADSTS number.
    let number: Int
    /// The OAuth `error`.
    let error: String
    /// One sentence for a developer; may repeat parts of the request, so every renderer escapes it.
    let message: String
    /// The HTTP status of the JSON and page forms.
    var status = 400
    /// The `suberror` member, where the service sends one.
    var suberror: String?
    /// Further members of the JSON form.
    var members: [String: JSONValue] = [:]

    /// The same failure with further members of the JSON form.
    func with(_ members: [String: JSONValue]) -> EntraError {
        var copy = self
        copy.members.merge(members) { _, new in new }
        return copy
    }
}
