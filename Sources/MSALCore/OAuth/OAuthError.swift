// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// An error response of the authorization or the token endpoint, kept whole (RFC 6749 §4.1.2.1 and §5.2).
///
/// Its texts end up in messages and logs. So each is one visible line, whatever the sender wrote; the claims alone stay
/// as they are.
package struct OAuthError: Error, Sendable, Hashable {
    /// The `error` member.
    package var error: String
    /// The service's finer name of the error, `suberror` or `error_subcode`.
    package var suberror: String?
    package var description: String?
    /// The numbers behind `AADSTS…`.
    package var codes: [Int] = []
    /// The claims with which an interactive request can succeed, as JSON text.
    package var claims: String?
    package var correlationID: UUID?
    /// The id of this error in the service's logs.
    package var traceID: String?
    /// The time of this error in the service's logs, as the service wrote it.
    package var timestamp: String?
    /// The name of the user to whom a protection policy applies (`adi`).
    package var displayableID: String?
    /// The HTTP status of the response. It is `nil` for an error that a redirect brought.
    package var status: Int?
    /// The `Retry-After` header of the response.
    package var retryAfter: String?

    package init(error: String, suberror: String? = nil, description: String? = nil) {
        self.error = error.visibleLine
        self.suberror = suberror?.visibleLine
        self.description = description?.visibleLine
    }

    /// Reads the members of a JSON response. The result is `nil` if `error` is missing or blank.
    package init?(members: [String: JSONValue]) {
        guard let error = members["error"]?.string, !error.isEmpty else { return nil }
        self.init(
            error: error,
            suberror: members["suberror"]?.string ?? members["error_subcode"]?.string,
            description: members["error_description"]?.string
        )
        codes = ServiceErrorDetails.codes(in: members)
        // A service may also send the object itself instead of its text.
        claims = members["claims"].flatMap { $0.string ?? $0.object.map { JSONValue.object($0).text } }
        traceID = members["trace_id"]?.string?.visibleLine
        timestamp = members["timestamp"]?.string?.visibleLine
        correlationID = members["correlation_id"]?.string.flatMap(UUID.init(uuidString:))
        displayableID = members["adi"]?.string?.visibleLine
    }

    /// Whether the error has this name. Case does not count, as in MSAL for iOS.
    package func isNamed(_ name: String) -> Bool { error.caseInsensitiveCompare(name) == .orderedSame }

    /// Whether the suberror has this name. Case does not count.
    package func hasSuberror(_ name: String) -> Bool { suberror?.caseInsensitiveCompare(name) == .orderedSame }
}
